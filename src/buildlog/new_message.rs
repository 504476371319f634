//! A message, as its text says it.

use super::message::{LogPlace, Message};
use super::patterns::LogPatterns;
use super::slots::{cut, slot};
use crate::mapping::build_log::{BuildLogTable, ReadKind};

impl LogPatterns {
    /// A message, with what its text says.
    pub(super) fn message(
        &self,
        table: &'static BuildLogTable,
        log_line: usize,
        place: Option<LogPlace>,
        text: &str,
    ) -> Message {
        let found = self.texts.first(text);
        let kind = match &found {
            _ if self.stopped.first(text).is_some() => table.read_kind(ReadKind::Stopped),
            Some((known, _)) => known.kind,
            None => table.read_kind(ReadKind::Other),
        };
        let near = self.near.first(text).and_then(|((), found)| slot(&found));
        Message {
            log_line,
            kind,
            name: found.and_then(|(_, found)| slot(&found)),
            text: cut(text),
            near,
            why: None,
            place,
            trail: Vec::new(),
            included: Vec::new(),
            object: None,
            count: 1,
        }
    }
}
