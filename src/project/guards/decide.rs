//! The decision about each guard of a file.

use std::cell::OnceCell;

use crate::{Context, Parsed};
use torchada_hazards::CodeHazards;
use torchada_syntax::{Conditional, Truth};

use super::arms::is_lost;
use super::branches::TakenBranches;
use super::choose::{Choice, DeniedBranches};
use super::comparison::comparisons;
use super::decider::{Decider, decision_for};
use super::decision::{Closed, Decision, Guards};
use super::switches::asks_for_target;
use super::{Unsupported, features};

/// How often guards that depend on each other are decided anew.
const ROUNDS: usize = 3;

/// Decide about the guards of a file, in which `found` was found.
pub fn decide(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    found: &CodeHazards<'_>,
    unsupported: Unsupported<'_>,
) -> Guards {
    let (comparisons, values) = comparisons(source, parsed, context, unsupported);
    let conditionals = parsed.conditionals.all();
    let mut decider = Decider {
        source,
        parsed,
        context,
        hits: &found.hits,
        assembly: &found.assembly,
        unsupported,
        decisions: vec![Decision::Open; comparisons.len()],
        comparisons,
        values_of_musa: vec![None; conditionals.len()],
        caps: vec![None; conditionals.len()],
        guards: Guards::default(),
        template_parameters: OnceCell::new(),
    };
    if !decider.comparisons.is_empty()
        || unsupported.any_disabled()
        || !parsed.regions.is_plain()
        || asks_for_target(source, parsed, context)
    {
        for _ in 0..ROUNDS {
            decider.guards = Guards::default();
            decider.ifs_by_switches();
            // An inner conditional stands behind the one around it: what it closes counts no more.
            for (at, conditional) in conditionals.iter().enumerate().rev() {
                decider.conditional(at, conditional);
            }
            let caps = decider.caps();
            if caps == decider.caps {
                break;
            }
            decider.caps = caps;
        }
        decider.outside_conditions();
        decider.pair_braces();
    }
    // Last: what an architecture decides is decided whatever the version.
    for conditional in conditionals {
        decider.by_versions(conditional);
    }
    decider.guards.values = values;
    decider.guards.architecture = decider.own_architecture();
    decider.guards.deciding = decider.deciding();
    let mut guards = decider.guards;
    guards.closed.sort_by_key(|closed| closed.at.start);
    guards.arms.sort_by_key(|arm| arm.body.start);
    guards.decisions = decider
        .comparisons
        .into_iter()
        .zip(decider.decisions)
        .collect();
    guards
}

impl Decider<'_> {
    fn conditional(&mut self, at: usize, conditional: &Conditional) {
        let inside: Vec<usize> = (0..conditional.branches.len())
            .flat_map(|branch| self.of_branch(conditional, branch))
            .collect();
        self.not_for_musa(conditional);
        self.by_compiler(conditional);
        let own = self.unsupported.architecture();
        if let Some(value) = own.filter(|_| !inside.is_empty()) {
            self.by_value(conditional, value);
        } else if inside.is_empty() {
            self.by_written_constants(conditional);
            self.by_switches(conditional);
            let live = self.taken(conditional, 1).possible;
            self.by_vendor(conditional, &live, &[]);
            return;
        }
        if own.is_some() || self.knows_target(conditional) {
            for at in inside {
                self.set(at, Decision::KnowsMusa);
            }
            return;
        }
        self.by_branches(at, conditional, &inside);
    }

    /// Decide by what the branches hold.
    fn by_branches(&mut self, place: usize, conditional: &Conditional, inside: &[usize]) {
        let numbers = self.numbers(conditional);
        let mut base = self.taken(conditional, 1);
        let Choice {
            value: chosen,
            is_exact,
            mut denied,
        } = self.choose(place, conditional, &numbers, &base);
        if let Some(slot) = self.values_of_musa.get_mut(place) {
            *slot = Some(chosen);
        }
        let taken = self.taken(conditional, chosen);
        if is_exact {
            base = taken.clone();
        }
        let disabled = self.disabled(conditional, &numbers, &taken, &base);
        for &at in &disabled {
            if !denied.iter().any(|known| known.branches.contains(&at)) {
                let (direct, behind) = self.blocking(conditional, &[at]);
                if !direct.is_empty() || !behind.is_empty() {
                    denied.push(DeniedBranches {
                        branches: vec![at],
                        direct,
                        behind,
                    });
                }
            }
        }
        let closed = denied.into_iter().map(|one| {
            let asking = one.branches.iter();
            let asking = asking.flat_map(|&branch| self.of_branch(conditional, branch));
            let asking = asking.chain(inside.first().copied()).next();
            self.closed(conditional, asking, &taken.possible, one)
        });
        let mut closed: Vec<Closed> = closed.collect();
        let is_reported = |at: usize| {
            let directive = self.directive_of(conditional, at);
            directive.is_some_and(|one| closed.iter().any(|known| known.branch == Some(one.range)))
        };
        let silent: Vec<usize> = disabled
            .iter()
            .copied()
            .filter(|&at| !is_reported(at))
            .collect();
        closed.extend(self.lost_kernel(conditional, &silent, &taken));
        let mut live = [taken.possible.as_slice(), &base.possible].concat();
        live.sort_unstable();
        live.dedup();
        if self.by_vendor(conditional, &live, &closed) {
            closed.retain(|one| !is_lost(one));
        }
        self.guards.closed.extend(closed);
        let bodies = conditional.bodies(&disabled);
        self.guards.disabled.extend(bodies);
        let newest = self.context.knowledge.shapes.guards.newest;
        if numbers.first().is_some_and(|&first| first >= newest) {
            self.turn_off(conditional, &disabled);
        }
        self.decide_comparisons(conditional, (chosen, is_exact), &taken, &base);
        self.note_bound(place, inside);
        self.note_decided(conditional, chosen);
        let newer: Vec<usize> = (0..conditional.branches.len())
            .filter(|&branch| !base.contains(branch))
            .collect();
        let switches = self.switches(conditional, &newer);
        self.guards.switches.extend(switches);
    }

    /// Decide about the comparisons in the conditions of a conditional, in which MUSA counts as `chosen`, or as exactly that.
    fn decide_comparisons(
        &mut self,
        conditional: &Conditional,
        (chosen, is_exact): (i64, bool),
        taken: &TakenBranches,
        base: &TakenBranches,
    ) {
        let changes: Vec<usize> = (0..conditional.branches.len())
            .filter(|&at| taken.contains(at) != base.contains(at))
            .collect();
        let touched = conditional.bodies(&changes);
        let feature = features::needed(self.source, self.parsed, self.context, &touched);
        for branch in 0..conditional.branches.len() {
            // A branch that no MUSA GPU takes says so in itself.
            let passed = !taken.contains(branch) && !base.contains(branch);
            // One that would be taken, were it not for an earlier one, is for older GPUs.
            let itself =
                passed && self.truth_of_branch(conditional, branch, chosen) == Truth::False;
            let chosen = if passed && !itself { 1 } else { chosen };
            // MUSA's number of one feature in place of both ends of a range would let no GPU in.
            let constant = itself || is_exact || self.is_above_range(conditional, branch, chosen);
            for at in self.of_branch(conditional, branch) {
                let decision = self.comparisons.get(at).map(|one| match one.number {
                    None => Decision::Open,
                    Some(number) if constant => {
                        Decision::Constant(one.operator.holds(chosen, number))
                    }
                    Some(number) => decision_for(one.operator, number, chosen, feature),
                });
                self.set(at, decision.unwrap_or(Decision::Open));
            }
        }
    }
}
