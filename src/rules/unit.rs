//! The unit of code that a rule looks at, and the functions by which the rule edits and reports. They are the same for
//! all languages.

use std::ops::Deref;

use super::{Outcome, RuleSettings};
use torchada_diagnostic::{Applicability, Code, Finding, KeptReason};
use torchada_edit::{Edit, EditKind, GroupId};
use torchada_mapping::Evidence;
use torchada_project::{Context, Project, Source};
use torchada_text::{Fragment, LineIndex, TextRange};

/// An edit that a rule wants: another text in place of a range of its unit.
#[derive(Clone, Copy)]
pub struct Change<'t> {
    /// The range that is replaced.
    pub range: TextRange,
    /// The text that replaces the range.
    pub to: &'t str,
    /// The evidence for the text, if it comes from a table.
    pub evidence: Option<Evidence>,
    applicability: Applicability,
    kind: EditKind,
    group: Option<GroupId>,
    rule: Option<&'static str>,
}

impl<'t> Change<'t> {
    /// A change that surely keeps the meaning, to a text that no table has.
    pub fn new(range: TextRange, to: &'t str) -> Self {
        Self {
            range,
            to,
            evidence: None,
            applicability: Applicability::Safe,
            kind: EditKind::Rewrite,
            group: None,
            rule: None,
        }
    }

    /// To a text that a table has, for which there is this evidence.
    #[must_use]
    pub fn evidence(self, evidence: impl Into<Option<Evidence>>) -> Self {
        let evidence = evidence.into();
        Self { evidence, ..self }
    }

    /// The change with this effect on the meaning.
    #[must_use]
    pub fn applicability(self, applicability: Applicability) -> Self {
        Self {
            applicability,
            ..self
        }
    }

    /// Whether it surely keeps the meaning.
    #[must_use]
    pub fn sure(self, sure: bool) -> Self {
        self.applicability(Applicability::of_reading(sure))
    }

    /// The change in a group of edits that are made together or not at all.
    #[must_use]
    pub fn group(self, group: GroupId) -> Self {
        let group = Some(group);
        Self { group, ..self }
    }

    /// The change in the name of `rule`, where that is not the rule which looks at the unit.
    #[must_use]
    pub fn rule(self, rule: &'static str) -> Self {
        let rule = Some(rule);
        Self { rule, ..self }
    }

    /// Of one token that becomes another.
    #[must_use]
    pub fn rename(self) -> Self {
        let kind = EditKind::Rename;
        Self { kind, ..self }
    }
}

/// A unit of code: a whole file, or a fragment inside one. It derefs to `code`, so a rule reads the fields of its
/// language as if they were the unit's.
pub struct Unit<'a, C> {
    /// The file.
    pub file: &'a Source,
    /// Its index in the project.
    pub index: usize,
    /// The whole text that places in findings are of: the file's, but for a notebook and for Cython the Python in it.
    pub file_text: &'a [u8],
    /// The lines of that text.
    pub lines: &'a LineIndex,
    /// The unit's own text: the whole one, or the fragment's.
    pub text: &'a [u8],
    /// The map back to the whole text, for a fragment.
    pub fragment: Option<&'a Fragment>,
    /// All files.
    pub project: &'a Project,
    /// Tables.
    pub context: Context<'a>,
    /// The user's settings for rules.
    pub settings: &'a RuleSettings,
    /// The part of the unit that depends on its language.
    pub code: C,
}

impl<C> Deref for Unit<'_, C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.code
    }
}

impl<C> Unit<'_, C> {
    /// Where a range of the unit lies in the file.
    pub fn in_file(&self, range: TextRange) -> TextRange {
        self.fragment.map_or(range, |fragment| fragment.near(range))
    }

    /// The text of a range, to be shown.
    pub fn shown(&self, range: TextRange) -> String {
        String::from_utf8_lossy(range.of(self.text)).into_owned()
    }

    /// A finding at a range of the unit.
    pub fn finding(&self, code: Code, range: TextRange, message: impl Into<String>) -> Finding {
        let place = self.in_file(range);
        let path = &self.file.path;
        Finding::at(code, path, self.file_text, self.lines, place, message)
    }

    /// Report a finding at a range of the unit, with what to do about it.
    pub fn report(
        &self,
        out: &mut Outcome,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        out.report(self.finding(code, range, message).help(help));
    }

    /// Note that a reference stays.
    pub fn keep(&self, out: &mut Outcome, range: TextRange, reason: KeptReason) {
        let range = self.in_file(range);
        out.keep(range, reason);
    }

    /// Put other text in place of a range. Returns whether the edit was taken: in a fragment an escape or a seam can
    /// stand in the way, and another rule may have been first.
    pub fn apply(&self, out: &mut Outcome, change: Change<'_>) -> bool {
        let place = match self.fragment {
            None => Some(change.range),
            Some(fragment) => fragment.to_file(change.range),
        };
        let Some(range) = place else {
            return false;
        };
        let edit = Edit {
            range,
            replacement: change.to.as_bytes().to_vec(),
            applicability: change.applicability,
            kind: change.kind,
            group: change.group.unwrap_or_else(|| out.group()),
            rule: change.rule.unwrap_or(out.rule),
            evidence: change.evidence,
        };
        out.edits.insert(edit).is_ok()
    }
}
