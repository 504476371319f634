//! What became of one file, as it is stored.

use serde::{Deserialize, Serialize};

use super::Words;
use super::finding::{self, StoredFinding};
use crate::commands::analysis::Translated;
use crate::diagnostic::{Applicability, Kept};
use crate::edit::{Edit, EditKind, EditSet, GroupId};
use crate::mapping::Evidence;
use crate::text::TextRange;

/// A translation without its text, which its edits make again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::commands) struct StoredTranslation {
    edits: Vec<StoredEdit>,
    findings: Vec<StoredFinding>,
    suppressed: Vec<StoredFinding>,
    kept: Vec<Kept>,
    withdrawn: Vec<TextRange>,
    failed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct StoredEdit {
    range: TextRange,
    replacement: Vec<u8>,
    applicability: Applicability,
    kind: EditKind,
    group: GroupId,
    rule: String,
    evidence: Option<Evidence>,
}

impl StoredTranslation {
    /// What to store of a translation.
    pub(in crate::commands) fn of(done: &Translated) -> Self {
        let edits = done.edits.iter().map(|edit| StoredEdit {
            range: edit.range,
            replacement: edit.replacement.clone(),
            applicability: edit.applicability,
            kind: edit.kind,
            group: edit.group,
            rule: edit.rule.to_owned(),
            evidence: edit.evidence,
        });
        Self {
            edits: edits.collect(),
            findings: finding::store(&done.findings),
            suppressed: finding::store(&done.suppressed),
            kept: done.kept.clone(),
            withdrawn: done.withdrawn.clone(),
            failed: done.failed,
        }
    }

    /// The translation of `text`; `None` where it is of another text or of another program.
    pub(in crate::commands) fn revive(self, text: &[u8], words: &Words) -> Option<Translated> {
        let edits = self.edits.into_iter().map(|edit| {
            let range = edit.range;
            let fits = range.start <= range.end && range.end <= text.len();
            Some(Edit {
                range: fits.then_some(range)?,
                replacement: edit.replacement,
                applicability: edit.applicability,
                kind: edit.kind,
                group: edit.group,
                rule: words.rule(&edit.rule)?,
                evidence: edit.evidence,
            })
        });
        let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
        let set = EditSet::of(&edits).ok();
        let set = set.filter(|set| set.len() == edits.len())?;
        Some(Translated {
            edits: set.into(),
            findings: finding::revive(self.findings, words)?,
            suppressed: finding::revive(self.suppressed, words)?,
            kept: self.kept,
            withdrawn: self.withdrawn,
            failed: self.failed,
        })
    }
}
