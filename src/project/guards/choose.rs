//! The class of CUDA's GPUs that MUSA counts as in a conditional.

use std::collections::BTreeSet;

use torchada_hazards::Hit;
use torchada_syntax::Conditional;

use super::branches::TakenBranches;
use super::comparison::Operator;
use super::decider::{Decider, class};

/// How many numbers are tried of which a conditional asks for exactly one each.
const EXACT: usize = 64;

/// Branches that MUSA can't take, with what they hold.
pub(super) struct DeniedBranches<'a> {
    pub(super) branches: Vec<usize>,
    pub(super) direct: Vec<&'a Hit>,
    pub(super) behind: Vec<String>,
}

/// What MUSA counts as in a conditional.
pub(super) struct Choice<'a> {
    /// The value of the architecture's macro that it counts as.
    pub(super) value: i64,
    /// Whether it counts as exactly the GPU of that number.
    pub(super) is_exact: bool,
    pub(super) denied: Vec<DeniedBranches<'a>>,
}

impl<'a> Decider<'a> {
    /// The numbers that the conditions of a conditional compare with.
    pub(super) fn numbers(&self, conditional: &Conditional) -> Vec<i64> {
        let comparisons = self.comparisons_of(conditional);
        let mut numbers: Vec<i64> = comparisons.filter_map(|one| one.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The newest class whose branches hold nothing that MUSA lacks, as far as `at`, the place of the conditional, is
    /// not bound to another.
    pub(super) fn choose(
        &self,
        at: usize,
        conditional: &Conditional,
        numbers: &[i64],
        base: &TakenBranches,
    ) -> Choice<'a> {
        let cap = self.caps.get(at).copied().flatten();
        let mut choice = Choice {
            value: 1,
            is_exact: false,
            denied: Vec::new(),
        };
        // What the older branches lead to as well speaks for neither.
        let (_, anyway) = self.blocking(conditional, &base.possible);
        let mut older = base.possible.iter();
        let works = older.any(|&branch| self.has_working_implementation(conditional, branch));
        for &number in numbers.iter().rev() {
            let taken = self.taken(conditional, class(number));
            // The newest GPUs take what the oldest do: a range in between names others.
            if taken == *base {
                choice.value = class(number);
                break;
            }
            let newer = taken.newer_than(base);
            let (direct, mut behind) = self.blocking(conditional, &newer);
            behind.retain(|one| !anyway.contains(one));
            // Where CUDA's own fallback does the work, it goes before names that nobody knows, and before what MUSA
            // only emulates.
            if works || self.code_behind(conditional, &newer).is_some() {
                behind.extend(self.unknown_names(conditional, &newer));
                behind.extend(self.slower(&conditional.bodies(&newer)));
            }
            if direct.is_empty() && behind.is_empty() {
                let bound = cap.is_some_and(|cap| number >= cap.number);
                if bound || self.stays_closed(conditional, number, &newer) {
                    continue;
                }
                choice.value = class(number);
                break;
            }
            // Each branch that is given up says so once.
            let mut known = choice.denied.iter().flat_map(|one| &one.branches);
            if !newer.iter().all(|branch| known.any(|one| one == branch)) {
                choice.denied.push(DeniedBranches {
                    branches: newer,
                    direct,
                    behind,
                });
            }
        }
        self.choose_exact(conditional, numbers, &mut choice);
        choice
    }

    /// Whether the condition of a branch compares with both ends of a range, and a GPU of the number `chosen` is above both:
    /// `>= 900 && < 1000`.
    pub(super) fn is_above_range(
        &self,
        conditional: &Conditional,
        branch: usize,
        chosen: i64,
    ) -> bool {
        let comparisons = self.of_branch(conditional, branch);
        let is_above = |ends: [Operator; 2]| {
            let mut passed = comparisons
                .iter()
                .filter_map(|&at| self.comparisons.get(at));
            passed.any(|one| {
                ends.contains(&one.operator) && one.number.is_some_and(|number| number < chosen)
            })
        };
        is_above([Operator::AtLeast, Operator::Above])
            && is_above([Operator::Below, Operator::AtMost])
    }

    /// Count as exactly one of CUDA's GPUs where the branch for it does the work with what MUSA has, and the one that
    /// MUSA would take otherwise does not: `#if __CUDA_ARCH__ == 750`.
    fn choose_exact(&self, conditional: &Conditional, numbers: &[i64], choice: &mut Choice<'a>) {
        let asked = self.comparisons_of(conditional).filter_map(|one| {
            let is_exact = matches!(one.operator, Operator::Equal | Operator::Unequal);
            one.number.filter(|_| is_exact)
        });
        let asked: BTreeSet<i64> = asked.collect();
        if asked.is_empty() {
            return;
        }
        let taken = self.taken(conditional, choice.value);
        let (direct, mut behind) = self.blocking(conditional, &taken.possible);
        behind.extend(self.unknown_names(conditional, &taken.possible));
        behind.extend(self.slower(&conditional.bodies(&taken.possible)));
        if direct.is_empty() && behind.is_empty() {
            return;
        }
        let fits = |number: i64| {
            let exact = self.taken(conditional, number);
            let mut own = exact.possible.iter();
            exact != taken
                && !exact.possible.is_empty()
                && self.unknown_names(conditional, &exact.possible).is_empty()
                && own.all(|&branch| self.has_working_implementation(conditional, branch))
        };
        let asked = numbers.iter().filter(|number| asked.contains(number));
        let mut later = asked.copied().take(EXACT);
        if let Some(number) = later.find(|&number| fits(number)) {
            choice.value = number;
            choice.is_exact = true;
            choice.denied.push(DeniedBranches {
                branches: taken.possible,
                direct,
                behind,
            });
        }
    }
}
