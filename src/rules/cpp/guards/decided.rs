//! The decisions of a file, looked up for each of its comparisons.

use rustc_hash::FxHashMap;

use crate::cpp::CppUnit;
use torchada_project::guards::{Comparison, Decision, Operator};
use torchada_text::TextRange;

/// What is asked of all decisions for each comparison.
pub(super) struct Decided {
    /// For each conditional, by the directive that opens it, its first branch that is MUSA's by a renumbered threshold.
    first_taken: FxHashMap<usize, usize>,
    /// The directive of the guard that each bound comparison goes together with.
    bound: FxHashMap<TextRange, TextRange>,
}

impl Decided {
    pub(super) fn of(unit: &CppUnit<'_>) -> Self {
        let mut first_taken: FxHashMap<usize, usize> = FxHashMap::default();
        for (one, decision) in &unit.guards.decisions {
            let opens = matches!(one.operator, Operator::AtLeast | Operator::Above);
            let renumbered = matches!(decision, Decision::Threshold { .. });
            let branch = branch_of(unit, one).filter(|_| opens && renumbered);
            if let Some((conditional, branch)) = branch {
                let first = first_taken.entry(conditional).or_insert(branch);
                *first = branch.min(*first);
            }
        }
        let mut bound = FxHashMap::default();
        for &(place, by) in &unit.guards.bound {
            bound.entry(place).or_insert(by);
        }
        Self { first_taken, bound }
    }

    /// Whether an earlier branch of the same conditional is the one that MUSA takes.
    pub(super) fn is_passed(&self, unit: &CppUnit<'_>, comparison: &Comparison) -> bool {
        branch_of(unit, comparison).is_some_and(|(conditional, own)| {
            let first = self.first_taken.get(&conditional);
            first.is_some_and(|&first| first < own)
        })
    }

    /// The directive of the guard that decided a comparison along with its own.
    pub(super) fn bound_by(&self, comparison: &Comparison) -> Option<TextRange> {
        self.bound.get(&comparison.range).copied()
    }
}

/// The conditional that a comparison chooses a branch of, by the directive that opens the conditional, and the branch.
fn branch_of(unit: &CppUnit<'_>, comparison: &Comparison) -> Option<(usize, usize)> {
    let directive = unit.parsed.tokens.directive_of(comparison.index)?;
    let (conditional, branch) = unit.parsed.conditionals.of(directive)?;
    Some((conditional.branches.first()?.directive, branch))
}
