//! What a rule for build files sees, and how it speaks.

use crate::diagnostic::{Applicability, Code, Finding, Kept, KeptReason};
use crate::edit::{Edit, EditKind, GroupId};
use crate::mapping::Evidence;
use crate::mapping::files::BuildLanguage;
use crate::project::{Context, Project, Source};
use crate::rules::build::Makefiles;
use crate::rules::{Outcome, RuleSettings};
use crate::syntax::cmake::Cmake;
use crate::text::{LineIndex, TextRange};

/// A file that says how a tree is built, shipped or set up.
pub struct BuildUnit<'a> {
    /// The file.
    pub file: &'a Source,
    /// Its index in the project.
    pub index: usize,
    /// Its text.
    pub text: &'a [u8],
    /// Its lines.
    pub lines: &'a LineIndex,
    /// Its language.
    pub language: BuildLanguage,
    /// Its comments, by place.
    pub comments: &'a [TextRange],
    /// Its commands, where it is `CMake`'s.
    pub cmake: Option<&'a Cmake>,
    /// All files.
    pub project: &'a Project,
    /// What the makefiles among them say together.
    pub makefiles: &'a Makefiles,
    /// Tables.
    pub context: Context<'a>,
    /// What the user decided.
    pub settings: &'a RuleSettings,
}

impl BuildUnit<'_> {
    /// Whether a place lies in a comment.
    pub fn is_comment(&self, offset: usize) -> bool {
        let behind = self.comments.partition_point(|one| one.start <= offset);
        behind
            .checked_sub(1)
            .and_then(|at| self.comments.get(at))
            .is_some_and(|comment| offset < comment.end)
    }

    /// The text of a range, to be shown.
    pub fn shown(&self, range: TextRange) -> String {
        String::from_utf8_lossy(range.of(self.text)).into_owned()
    }

    /// A finding at a range.
    pub fn finding(&self, code: Code, range: TextRange, message: impl Into<String>) -> Finding {
        Finding::at(code, &self.file.path, self.text, self.lines, range, message)
    }

    /// Note that a reference stays.
    pub fn keep(&self, out: &mut Outcome, range: TextRange, reason: KeptReason) {
        out.kept.push(Kept { range, reason });
    }

    /// Put other text in place of a range. Returns whether the edit was taken: another rule may have been first.
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
        let edit = Edit {
            range,
            replacement: to.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind: EditKind::Rewrite,
            group,
            rule,
            evidence,
        };
        out.edits.insert(edit).is_ok()
    }
}
