//! The decision about each guard of a file.

use crate::hazards::Hit;
use crate::project::regions::Region;
use crate::project::{Context, Parsed};
use crate::syntax::{Conditional, Truth};
use crate::text::TextRange;

use super::comparison::{Comparison, Operator, comparisons};
use super::decision::{Closed, Decision, Guards};
use super::{UnsupportedSymbols, features};

/// Whether a hit is something that MUSA can't compile or run at all.
pub(super) fn blocks(context: Context<'_>, hit: &Hit) -> bool {
    let row = context.hazards.rows().get(hit.row);
    row.is_some_and(|row| {
        row.severity == "error" || row.find.iter().any(|find| find.starts_with("asm:"))
    })
}

/// Decide about the guards of a file, whose hazards are `hits`.
pub fn decide(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    hits: &[Hit],
    unsupported: &UnsupportedSymbols,
) -> Guards {
    let (comparisons, values) = comparisons(source, parsed, context, unsupported);
    let mut decider = Decider {
        source,
        parsed,
        context,
        hits,
        unsupported,
        decisions: vec![Decision::Open; comparisons.len()],
        comparisons,
        guards: Guards {
            values,
            ..Guards::default()
        },
    };
    if !decider.comparisons.is_empty() || unsupported.any_disabled() {
        // An inner conditional stands behind the one around it: what it closes counts no more.
        for conditional in parsed.conditionals.all().iter().rev() {
            decider.conditional(conditional);
        }
        decider.outside_conditions();
        decider.pair_braces();
    }
    // Last: what an architecture decides is decided whatever the version.
    for conditional in parsed.conditionals.all() {
        decider.by_versions(conditional);
    }
    let mut guards = decider.guards;
    guards.closed.sort_by_key(|closed| closed.at.start);
    guards.decisions = decider
        .comparisons
        .into_iter()
        .zip(decider.decisions)
        .collect();
    guards
}

pub(super) struct Decider<'a> {
    pub(super) source: &'a [u8],
    pub(super) parsed: &'a Parsed,
    pub(super) context: Context<'a>,
    pub(super) hits: &'a [Hit],
    pub(super) unsupported: &'a UnsupportedSymbols,
    pub(super) comparisons: Vec<Comparison>,
    pub(super) decisions: Vec<Decision>,
    pub(super) guards: Guards,
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

    fn conditional(&mut self, conditional: &Conditional) {
        let inside: Vec<usize> = (0..conditional.branches.len())
            .flat_map(|branch| self.of_branch(conditional, branch))
            .collect();
        if inside.is_empty() {
            self.by_switches(conditional);
            return;
        }
        if self.knows_target(conditional) {
            for at in inside {
                self.set(at, Decision::KnowsMusa);
            }
            return;
        }
        let mut numbers: Vec<i64> = inside
            .iter()
            .filter_map(|&at| self.comparisons.get(at)?.number)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let base = self.taken(conditional, 1);
        let mut chosen = 1;
        let mut denied: Vec<(Vec<usize>, Vec<&Hit>, Vec<String>)> = Vec::new();
        // What the older branches lead to as well speaks for neither.
        let (_, anyway) = self.blocking(conditional, &base.possible);
        let mut older = base.possible.iter();
        let falls_back = older.any(|&branch| self.has_working_implementation(conditional, branch));
        for &number in numbers.iter().rev() {
            let taken = self.taken(conditional, class(number));
            // The newest GPUs take what the oldest do: a range in between names others.
            if taken == base {
                chosen = class(number);
                break;
            }
            let newer = taken.newer_than(&base);
            let (direct, mut behind) = self.blocking(conditional, &newer);
            behind.retain(|one| !anyway.contains(one));
            // Where CUDA's own fallback does the work, it goes before names that nobody knows.
            if falls_back {
                behind.extend(self.unknown_names(conditional, &newer));
            }
            if direct.is_empty() && behind.is_empty() {
                chosen = class(number);
                break;
            }
            // Each branch that is given up says so once.
            let is_denied =
                |branch: &usize| denied.iter().any(|(known, ..)| known.contains(branch));
            if !newer.iter().all(is_denied) {
                denied.push((newer, direct, behind));
            }
        }
        let taken = self.taken(conditional, chosen);
        // What other GPUs take and MUSA's do not: newer ones, or those that have exactly one of
        // the numbers.
        let mut values: Vec<i64> = numbers
            .iter()
            .flat_map(|&number| [number - 1, number, class(number)])
            .collect();
        values.sort_unstable();
        values.dedup();
        let mut elsewhere = vec![false; conditional.branches.len()];
        for value in values {
            for at in self.taken(conditional, value).possible {
                if let Some(slot) = elsewhere.get_mut(at) {
                    *slot = true;
                }
            }
        }
        let is_disabled =
            |at: usize, elsewhere: bool| elsewhere && !taken.contains(at) && !base.contains(at);
        let disabled: Vec<usize> = elsewhere
            .into_iter()
            .enumerate()
            .filter(|&(at, elsewhere)| is_disabled(at, elsewhere))
            .map(|(at, _)| at)
            .collect();
        for &at in &disabled {
            if !denied.iter().any(|(known, ..)| known.contains(&at)) {
                let (direct, behind) = self.blocking(conditional, &[at]);
                if !direct.is_empty() || !behind.is_empty() {
                    denied.push((vec![at], direct, behind));
                }
            }
        }
        let closed = denied.into_iter().map(|(newer, direct, behind)| {
            let asking = newer
                .iter()
                .flat_map(|&branch| self.of_branch(conditional, branch))
                .next();
            let asking = asking.or_else(|| inside.first().copied());
            self.closed(
                conditional,
                asking,
                &newer,
                &taken.possible,
                &direct,
                behind,
            )
        });
        let closed: Vec<Closed> = closed.collect();
        self.guards.closed.extend(closed);
        let bodies = disabled
            .iter()
            .filter_map(|&at| conditional.branches.get(at));
        self.guards
            .disabled
            .extend(bodies.map(|branch| branch.body));
        let touched: Vec<TextRange> = conditional
            .branches
            .iter()
            .enumerate()
            .filter(|(at, _)| taken.contains(*at) != base.contains(*at))
            .map(|(_, branch)| branch.body)
            .collect();
        let feature = features::needed(self.source, self.parsed, self.context, &touched);
        for branch in 0..conditional.branches.len() {
            // A branch that no MUSA GPU takes says so in itself.
            let passed = !taken.contains(branch) && !base.contains(branch);
            // One that would be taken, were it not for an earlier one, is for older GPUs.
            let itself =
                passed && self.truth_of_branch(conditional, branch, chosen) == Truth::False;
            let chosen = if passed && !itself { 1 } else { chosen };
            for at in self.of_branch(conditional, branch) {
                let decision = self.comparisons.get(at).map(|one| match one.number {
                    None => Decision::Open,
                    Some(number) if itself => {
                        Decision::Constant(one.operator.holds(chosen, number))
                    }
                    Some(number) => decision_for(one.operator, number, chosen, feature),
                });
                self.set(at, decision.unwrap_or(Decision::Open));
            }
        }
        let newer: Vec<usize> = (0..conditional.branches.len())
            .filter(|&branch| !base.contains(branch))
            .collect();
        let switches = self.switches(conditional, &newer);
        self.guards.switches.extend(switches);
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
    fn knows_target(&self, conditional: &Conditional) -> bool {
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
    feature: Option<&crate::mapping::Architecture>,
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
