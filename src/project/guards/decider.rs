//! The state of the decision about the guards of a file.

use std::cell::OnceCell;

use crate::platforms::regions::Region;
use crate::{Context, Parsed};
use rustc_hash::FxHashSet;
use torchada_hazards::{Assembly, Hit, Place};
use torchada_syntax::Conditional;
use torchada_text::TextRange;

use super::Unsupported;
use super::comparison::{Comparison, Operator};
use super::decision::{Decision, Guards};

/// Whether a hit is something that MUSA can't compile or run at all.
pub(super) fn blocks(context: Context<'_>, hit: &Hit) -> bool {
    hit.place != Place::Translated && context.hazards.blocks(hit.row)
}

/// A number that MUSA stays below in a conditional, because it does in another of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cap {
    /// The number.
    pub(super) number: i64,
    /// The directive of the other conditional.
    pub(super) by: TextRange,
}

/// What the decision about the guards of a file works with, and what it has come to.
pub(super) struct Decider<'a> {
    pub(super) source: &'a [u8],
    pub(super) parsed: &'a Parsed,
    pub(super) context: Context<'a>,
    pub(super) hits: &'a [Hit],
    pub(super) assembly: &'a [Assembly<'a>],
    pub(super) unsupported: Unsupported<'a>,
    pub(super) comparisons: Vec<Comparison>,
    pub(super) decisions: Vec<Decision>,
    /// For each conditional the value of the macro that MUSA counts as, where its branches decide that.
    pub(super) values_of_musa: Vec<Option<i64>>,
    /// For each conditional the number that MUSA stays below.
    pub(super) caps: Vec<Option<Cap>>,
    pub(super) guards: Guards,
    /// The names of the parameters of all templates in the file, once somebody has asked for them.
    pub(super) template_parameters: OnceCell<FxHashSet<&'a [u8]>>,
}

/// A value of the macro that lies above every number of CUDA's up to `number`, and equals none.
pub(super) fn class(number: i64) -> i64 {
    number + 1
}

impl Decider<'_> {
    /// The comparisons in the directive of a branch.
    pub(super) fn of_branch(&self, conditional: &Conditional, branch: usize) -> Vec<usize> {
        let directive = conditional
            .branches
            .get(branch)
            .and_then(|branch| self.parsed.tokens.directives.get(branch.directive));
        let Some(directive) = directive else {
            return Vec::new();
        };
        // They come in the order of the tokens.
        let place = |index: usize| self.comparisons.partition_point(|one| one.index < index);
        (place(directive.tokens.start)..place(directive.tokens.end)).collect()
    }

    /// The comparisons in all conditions of a conditional.
    pub(super) fn comparisons_of(
        &self,
        conditional: &Conditional,
    ) -> impl Iterator<Item = &Comparison> {
        let branches = 0..conditional.branches.len();
        branches
            .flat_map(|branch| self.of_branch(conditional, branch))
            .filter_map(|at| self.comparisons.get(at))
    }

    pub(super) fn set(&mut self, at: usize, decision: Decision) {
        if let Some(slot) = self.decisions.get_mut(at) {
            *slot = decision;
        }
    }

    /// Whether the byte at `offset` is another platform's business.
    pub(super) fn is_foreign(&self, offset: usize) -> bool {
        self.parsed.regions.at(offset) != Region::Plain
    }

    /// Whether a branch of the conditional tests a macro of the target's.
    pub(super) fn knows_target(&self, conditional: &Conditional) -> bool {
        conditional.branches.iter().any(|branch| {
            let directive = self.parsed.tokens.directives.get(branch.directive);
            directive.is_some_and(|directive| {
                let mut tokens = directive
                    .tokens
                    .clone()
                    .filter_map(|index| self.parsed.tokens.get(index));
                tokens.any(|token| {
                    let name = token.text(self.source);
                    self.context.knowledge.is_target_macro(name)
                })
            })
        })
    }
}

/// The decision about a comparison where MUSA counts as the architecture `chosen`.
pub(super) fn decision_for(
    operator: Operator,
    number: i64,
    chosen: i64,
    feature: Option<&torchada_mapping::Architecture>,
) -> Decision {
    let newer = chosen > number;
    let threshold = || match feature {
        Some(row) => Decision::Threshold {
            number: row.mp.unwrap_or_default(),
            feature: row.feature.to_string(),
        },
        None => Decision::Open,
    };
    match operator {
        Operator::Equal => Decision::Constant(false),
        Operator::Unequal => Decision::Constant(true),
        _ if newer => threshold(),
        Operator::AtLeast | Operator::Above => Decision::Constant(false),
        Operator::Below | Operator::AtMost => Decision::Constant(true),
    }
}
