//! The outcome of rules: edits, findings, and names that stay for a reason.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use torchada_diagnostic::{Finding, Kept, KeptReason, PackageUse};
use torchada_edit::{EditSet, GroupId};
use torchada_ptx::FileOutcome;
use torchada_syntax::Token;
use torchada_text::{CoveredBytes, TextRange};

/// What the rules say of one file.
#[derive(Default, Debug)]
pub struct Outcome {
    /// The name of the rule that looks at a unit now, which its edits bear.
    pub rule: &'static str,
    /// What to change.
    pub edits: EditSet,
    /// What to report.
    pub findings: Vec<Finding>,
    /// What is left for a reason that is no fault.
    pub kept: Vec<Kept>,
    /// What becomes of inline PTX.
    pub ptx: FileOutcome,
    /// Where packages that are made for CUDA are asked for.
    pub packages: Vec<PackageUse>,
    /// Whether an edit needs the package for run time in this module of Python.
    pub needs_stub: bool,
    /// Starts of tokens (offsets in the unit) that an earlier rule has dealt with.
    claimed: FxHashSet<usize>,
    groups: u32,
    /// Where findings and kept places are, as far as they were looked at.
    covered: RefCell<CoveredPlaces>,
}

/// How many findings and kept places are among the places.
#[derive(Default, Debug)]
struct CoveredPlaces {
    findings: usize,
    kept: usize,
    places: CoveredBytes,
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

    /// Report something.
    pub fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Say of a place why what stands there stays.
    pub fn keep(&mut self, range: TextRange, reason: KeptReason) {
        self.kept.push(Kept { range, reason });
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
    pub fn is_covered(&self, range: TextRange) -> bool {
        let mut seen = self.covered.borrow_mut();
        if seen.findings > self.findings.len() || seen.kept > self.kept.len() {
            *seen = CoveredPlaces::default();
        }
        let findings = self.findings.iter().skip(seen.findings);
        let found = findings.filter(|one| !one.is_whole()).map(|one| one.range);
        let kept = self.kept.iter().skip(seen.kept).map(|one| one.range);
        seen.places.extend(found.chain(kept));
        seen.findings = self.findings.len();
        seen.kept = self.kept.len();
        seen.places.touch(range)
    }

    /// Whether there is no edit, no finding and no kept reference.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.findings.is_empty() && self.kept.is_empty()
    }

    /// An outcome for code inside this one's file, whose groups are apart from those here.
    #[must_use]
    pub fn inside(&self) -> Self {
        Self {
            rule: self.rule,
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
        self.packages.extend(inner.packages);
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
