//! Codes of findings as they are stored: their texts are the program's own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::commands::codes;
use crate::diagnostic::{Code, Severity};

/// All codes of this program, by identity and title: rows of a table may share a code, each with a title of its own.
pub(super) struct Codes(BTreeMap<(&'static str, &'static str), Code>);

/// A code, by what tells it apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StoredCode<'c> {
    id: Cow<'c, str>,
    title: Cow<'c, str>,
    /// A place may weigh more or less than its code does.
    severity: Severity,
}

impl From<Code> for StoredCode<'_> {
    fn from(code: Code) -> Self {
        Self {
            id: code.id.into(),
            title: code.title.into(),
            severity: code.severity,
        }
    }
}

impl Codes {
    pub(super) fn new() -> Self {
        let all = codes::all().into_iter();
        Self(all.map(|code| ((code.id, code.title), code)).collect())
    }

    /// The code that was stored; `None` where this program does not have it.
    pub(super) fn find(&self, stored: &StoredCode<'_>) -> Option<Code> {
        let known = self.0.get(&(&*stored.id, &*stored.title))?;
        Some(Code {
            severity: stored.severity,
            ..*known
        })
    }
}
