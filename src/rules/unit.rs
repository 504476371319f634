//! The unit of code that a rule looks at, and the functions by which the rule edits and reports. They are the same for
//! all languages.

use std::ops::Deref;

use super::{Outcome, RuleSettings};
use torchada_diagnostic::{Code, Finding, KeptReason};
use torchada_edit::{Edit, GroupId};
use torchada_mapping::Evidence;
use torchada_project::{Context, Project, Source};
use torchada_text::{Fragment, LineIndex, TextRange};

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

    /// Note that a reference stays.
    pub fn keep(&self, out: &mut Outcome, range: TextRange, reason: KeptReason) {
        let range = self.in_file(range);
        out.keep(range, reason);
    }

    /// Put other text in place of a range. Returns whether the edit was taken: in a fragment an escape or a seam can
    /// stand in the way, and another rule may have been first.
    pub fn replace(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
    ) -> bool {
        let group = out.group();
        self.replace_in(out, range, to, rule, evidence, group)
    }

    /// Put other text in place of a range, in a group that stands or falls together.
    pub fn replace_in(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
        group: GroupId,
    ) -> bool {
        self.insert(out, Edit::rewrite(range, to, rule, evidence, group))
    }

    /// Take in an edit whose range is one of the unit. Returns whether the edit was taken.
    pub fn insert(&self, out: &mut Outcome, edit: Edit) -> bool {
        let place = match self.fragment {
            None => Some(edit.range),
            Some(fragment) => fragment.to_file(edit.range),
        };
        place.is_some_and(|range| out.edits.insert(Edit { range, ..edit }).is_ok())
    }
}
