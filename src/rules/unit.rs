//! What a rule sees, and what it says.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Applicability, Code, Finding, Kept, KeptReason};
use crate::edit::{Edit, EditKind, EditSet, GroupId};
use crate::hazards::Hit;
use crate::mapping::Evidence;
use crate::project::guards::Guards;
use crate::project::regions::Region;
use crate::project::{Declared, Lore, Parsed, Project, Source, Visible};
use crate::syntax::{Token, TokenKind};
use crate::text::{Fragment, LineIndex, Places, TextRange};

/// What the user decided about rules.
#[derive(Clone, Debug)]
pub struct RuleSettings {
    /// The weakest evidence that is acted upon.
    pub min_evidence: Evidence,
    /// Identifiers that are the project's own.
    pub own_names: BTreeSet<String>,
    /// The CUDA whose versions stand in place of the macros: its major and minor number.
    pub cuda_version: Option<(u32, u32)>,
    /// Whether edits that may change the meaning are applied.
    pub unsafe_edits: bool,
    /// Which names the result is written in.
    pub dialect: Dialect,
    /// Whether programs import the package for run time.
    pub import_stub: StubImport,
    /// The MUSA architectures that the user named: `mp_31`.
    pub targets: Vec<String>,
    /// Whether every file that changes is parsed before and after, and Python by its grammar alone.
    pub verify_all: bool,
}

/// Whether programs import the package for run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubImport {
    /// They do without.
    Never,
    /// They do, and the port writes it beside them.
    Beside,
    /// They do, and the port does not write it: it is of a part of a tree, which is useless on MUSA without.
    Elsewhere,
}

impl StubImport {
    /// Whether they do.
    pub fn is_wanted(self) -> bool {
        self != Self::Never
    }
}

/// Which names the result is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// MUSA's throughout.
    Musa,
    /// CUDA's, which the package for run time translates: only what it can't mend changes.
    Portable,
}

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
    /// What is declared visibly, by name, with the index of the declaring file.
    pub declared: &'a FxHashMap<&'a [u8], Vec<(usize, &'a Declared)>>,
    /// The alias header that the file reaches its names through, if it does.
    pub alias_header: Option<&'a str>,
    /// All files.
    pub project: &'a Project,
    /// Tables.
    pub lore: Lore<'a>,
    /// What the user decided.
    pub settings: &'a RuleSettings,
    /// The map back to the file, for a fragment.
    pub fragment: Option<&'a Fragment>,
}

/// What the rules say of one file.
#[derive(Default, Debug)]
pub struct Outcome {
    /// What to change.
    pub edits: EditSet,
    /// What to report.
    pub findings: Vec<Finding>,
    /// What is left for a reason that is no fault.
    pub kept: Vec<Kept>,
    /// Starts of tokens (offsets in the unit) that an earlier rule has dealt with.
    claimed: FxHashSet<usize>,
    groups: u32,
    /// Where findings and kept places are, as far as they were looked at.
    told: RefCell<Seen>,
}

/// How many findings and kept places are among the places.
#[derive(Default, Debug)]
struct Seen {
    findings: usize,
    kept: usize,
    places: Places,
}

impl Outcome {
    /// A fresh group.
    pub fn group(&mut self) -> GroupId {
        self.groups += 1;
        GroupId(self.groups)
    }

    /// Mark a token as dealt with.
    pub fn claim(&mut self, token: Token) {
        self.claimed.insert(token.range().start);
    }

    /// Whether a token is dealt with.
    pub fn is_claimed(&self, token: Token) -> bool {
        self.claimed.contains(&token.range().start)
    }

    /// Mark a place as dealt with.
    pub fn claim_at(&mut self, start: usize) {
        self.claimed.insert(start);
    }

    /// Whether a place is dealt with.
    pub fn is_claimed_at(&self, start: usize) -> bool {
        self.claimed.contains(&start)
    }

    /// Whether a finding or a kept place overlaps a range. Asked only while both only grow.
    pub fn is_told(&self, range: TextRange) -> bool {
        let mut seen = self.told.borrow_mut();
        if seen.findings > self.findings.len() || seen.kept > self.kept.len() {
            *seen = Seen::default();
        }
        let findings = self.findings.iter().skip(seen.findings);
        let found = findings.filter(|one| !one.is_whole()).map(|one| one.range);
        let kept = self.kept.iter().skip(seen.kept).map(|one| one.range);
        seen.places.extend(found.chain(kept));
        seen.findings = self.findings.len();
        seen.kept = self.kept.len();
        seen.places.touch(range)
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.findings.is_empty() && self.kept.is_empty()
    }

    /// An outcome for code inside this one's file, whose groups are apart from those here.
    #[must_use]
    pub fn inside(&self) -> Self {
        Self {
            groups: self.groups,
            ..Self::default()
        }
    }

    /// Take in what [`Outcome::inside`] has collected. Edits whose place another rule has taken
    /// are dropped with their groups.
    pub fn absorb(&mut self, inner: Self) {
        self.groups = self.groups.max(inner.groups);
        self.findings.extend(inner.findings);
        self.kept.extend(inner.kept);
        for edit in inner.edits.iter() {
            if self.edits.insert(edit.clone()).is_err() {
                self.edits.withdraw(edit.group);
            }
        }
    }

    /// Start a unit of its own: its offsets are not those of the unit before.
    pub fn forget_claims(&mut self) -> FxHashSet<usize> {
        std::mem::take(&mut self.claimed)
    }

    /// Go back to the unit that was left with [`Outcome::forget_claims`].
    pub fn restore_claims(&mut self, claims: FxHashSet<usize>) {
        self.claimed = claims;
    }
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

    /// Why code at `range` is left for good, if it is: another platform's branch.
    pub fn foreign(&self, range: TextRange) -> Option<KeptReason> {
        match self.parsed.regions.at(range.start) {
            Region::Plain => None,
            Region::OtherVendor => Some(KeptReason::VendorBranch),
            Region::Musa | Region::NotMusa => Some(KeptReason::MusaBranch),
        }
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
