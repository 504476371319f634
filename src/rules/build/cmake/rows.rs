//! Names that a row of the tables gives a counterpart.

use super::pass::Pass;
use crate::build::codes::sentence;
use torchada_diagnostic::codes::build::{RENAMED_BY_RULE, TOO_WEAK};
use torchada_mapping::{Evidence, Row};
use torchada_text::TextRange;

/// What to do about a counterpart whose row says nothing.
const ADVICE: &str = "look the name up in the SDK's headers and libraries";

impl Pass<'_> {
    /// Put the counterpart of a row's name in place of a range. Report where the evidence is weaker than `min-evidence`, so
    /// that the name stays, and where a rule alone gives the counterpart, or public sources disagree.
    pub(super) fn edit_by_row(&mut self, range: TextRange, row: &Row, to: &str) {
        let shown = format!("`{}`", self.text_of(range));
        let advice = row.advice.as_deref().unwrap_or(ADVICE);
        let evidence = row.evidence.unwrap_or(Evidence::Rule);
        if evidence > self.unit.settings.min_evidence {
            self.report(TOO_WEAK, range, sentence(TOO_WEAK, &shown, false), advice);
            return;
        }
        let group = self.out.group();
        let is_edited = self.edit_with(range, to, evidence, group);
        if is_edited && evidence > Evidence::Table {
            let why = match evidence {
                Evidence::Contested => "though public sources disagree",
                _ => "by rule alone",
            };
            let message = format!("{shown} became `{to}` {why}");
            self.report(RENAMED_BY_RULE, range, message, advice);
        }
    }
}
