//! Libraries that are linked.

use super::{FlagAction, Loss, Obstacle, Translation, Translator};
use torchada_mapping::{Relation, Section};

impl Translator<'_> {
    /// Translate the name of a library, which `written` ends with: an option or the name alone.
    pub fn translate_library(&self, written: &str, name: &str) -> Translation {
        let mut found = Translation::stays(&[written]);
        let tables = self.context.tables;
        let Some(row) = tables.get(Section::Libraries, name.as_bytes()) else {
            return found;
        };
        found.evidence = row.evidence;
        found.advice = row.advice.as_deref().map(str::to_owned);
        match (row.relation, row.to.as_deref()) {
            (Relation::Renamed, Some(to)) => {
                let option = written.strip_suffix(name).unwrap_or_default();
                found.action = match self.too_weak(row) {
                    Some(weak) => FlagAction::Remains(Obstacle::TooWeak(weak)),
                    None => FlagAction::Becomes(vec![format!("{option}{to}")]),
                };
            }
            (Relation::Same, _) => {}
            (Relation::Absent, _) => return found.leave_out(Loss::Needless),
            _ => found.action = FlagAction::Remains(Obstacle::WithoutCounterpart),
        }
        found
    }
}
