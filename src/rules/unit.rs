//! What a rule sees, and how it speaks.

use super::declarations::Declarations;
use super::{Outcome, RuleSettings};
use crate::diagnostic::{Applicability, Code, Finding, Kept, KeptReason};
use crate::edit::{Edit, EditKind, GroupId};
use crate::hazards::Hit;
use crate::mapping::Evidence;
use crate::project::guards::Guards;
use crate::project::regions::Region;
use crate::project::{Context, Parsed, Project, Source, Visible};
use crate::syntax::{Token, TokenKind};
use crate::text::{Fragment, LineIndex, TextRange};

/// A unit of code: a whole file, or a fragment inside one.
pub struct Unit<'a> {
    /// The file.
    pub file: &'a Source,
    /// Its index in the project.
    pub index: usize,
    /// The file's whole text.
    pub file_text: &'a [u8],
    /// The file's lines.
    pub lines: &'a LineIndex,
    /// The unit's own text: the file's, or the fragment's.
    pub text: &'a [u8],
    /// The unit's own tokens, scopes and regions.
    pub parsed: &'a Parsed,
    /// What no renaming mends, by place.
    pub hits: &'a [Hit],
    /// The unit's guards on the architecture.
    pub guards: &'a Guards,
    /// What the file sees.
    pub visible: &'a Visible,
    /// What is declared visibly.
    pub declared: &'a Declarations<'a>,
    /// The alias header that the file reaches its names through, if it does.
    pub alias_header: Option<&'a str>,
    /// All files.
    pub project: &'a Project,
    /// Tables.
    pub context: Context<'a>,
    /// What the user decided.
    pub settings: &'a RuleSettings,
    /// The map back to the file, for a fragment.
    pub fragment: Option<&'a Fragment>,
}

impl Unit<'_> {
    /// The token at `index`.
    #[inline]
    pub fn token(&self, index: usize) -> Option<Token> {
        self.parsed.tokens.get(index)
    }

    /// The text of the token at `index`; empty where there is none.
    #[inline]
    pub fn word(&self, index: usize) -> &[u8] {
        self.token(index).map_or(b"", |token| token.text(self.text))
    }

    /// The text of the token `back` places before `index`; empty where there is none.
    #[inline]
    pub fn word_before(&self, index: usize, back: usize) -> &[u8] {
        index.checked_sub(back).map_or(b"", |at| self.word(at))
    }

    /// All identifiers with their token indices.
    pub fn identifiers(&self) -> impl Iterator<Item = (usize, Token)> {
        self.parsed
            .tokens
            .tokens
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, token)| token.kind == TokenKind::Identifier)
    }

    /// The identifiers that `is_one` accepts with their token indices, in order of place. It is asked
    /// once for each word.
    pub fn identifiers_where(
        &self,
        is_one: impl FnMut(&[u8]) -> bool,
    ) -> impl Iterator<Item = (usize, Token)> {
        let tokens = &self.parsed.tokens;
        let found = tokens.identifiers_where(self.text, is_one);
        found.filter_map(|at| Some((at, tokens.get(at)?)))
    }

    /// Why code at `range` is left for good, if it is: another platform's branch.
    pub fn foreign(&self, range: TextRange) -> Option<KeptReason> {
        match self.parsed.regions.at(range.start) {
            Region::Plain => None,
            Region::OtherVendor => Some(KeptReason::VendorBranch),
            Region::Musa | Region::NotMusa => Some(KeptReason::MusaBranch),
        }
    }

    /// Whether no build for MUSA compiles the byte at `offset`.
    pub fn is_left_out(&self, offset: usize) -> bool {
        self.guards.is_closed(offset) || self.parsed.regions.is_dead(offset)
    }

    /// Where a range of the unit lies in the file.
    pub fn in_file(&self, range: TextRange) -> TextRange {
        self.fragment.map_or(range, |fragment| fragment.near(range))
    }

    /// A finding at a range of the unit.
    pub fn finding(&self, code: Code, range: TextRange, message: impl Into<String>) -> Finding {
        let place = self.in_file(range);
        Finding::at(
            code,
            &self.file.path,
            self.file_text,
            self.lines,
            place,
            message,
        )
    }

    /// Note that a reference stays.
    pub fn keep(&self, out: &mut Outcome, range: TextRange, reason: KeptReason) {
        out.kept.push(Kept {
            range: self.in_file(range),
            reason,
        });
    }

    /// Replace one token of the unit. Returns whether the edit was taken: in a fragment an
    /// escape or a seam can stand in the way, and another rule may have been first.
    pub fn rename(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
    ) -> bool {
        let group = out.group();
        self.rename_in(out, range, to, rule, evidence, group)
    }

    /// Put other code in place of a range. Returns whether the edit was taken.
    pub fn rewrite(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
    ) -> bool {
        let group = out.group();
        let edit = Edit {
            range,
            replacement: to.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind: EditKind::Rewrite,
            group,
            rule,
            evidence,
        };
        self.insert(out, edit)
    }

    /// Take in an edit whose range is the unit's.
    fn insert(&self, out: &mut Outcome, edit: Edit) -> bool {
        let place = match self.fragment {
            None => Some(edit.range),
            Some(fragment) => fragment.to_file(edit.range),
        };
        place.is_some_and(|range| out.edits.insert(Edit { range, ..edit }).is_ok())
    }

    /// Rename in a group that stands or falls together.
    pub fn rename_in(
        &self,
        out: &mut Outcome,
        range: TextRange,
        to: &str,
        rule: &'static str,
        evidence: Option<Evidence>,
        group: GroupId,
    ) -> bool {
        // `cudnnStatus_t` → `musa::dnn::Status`: one token becomes several.
        let several = to.contains("::") || range.of(self.text).windows(2).any(|two| two == b"::");
        let kind = if several {
            EditKind::Rewrite
        } else {
            EditKind::Rename
        };
        let edit = Edit {
            range,
            replacement: to.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind,
            group,
            rule,
            evidence,
        };
        self.insert(out, edit)
    }
}
