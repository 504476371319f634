//! From equations to facts: a system of equations is solved to a fixpoint.
//!
//! The equations that a question needs are collected first, each slot's once; then the slots that depend on each other in a
//! circle are solved together, and each such group after the groups that it depends on. Within a group all slots start with
//! nothing known, and each round computes all of them from the round before. So a result is a function of the equations
//! alone: neither the order of questions nor that of files, statements or calls can change it.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::equation::{Fact, Term};
use super::rounds::SeenState;
use super::slot::Slot;
use crate::python::inference::limits::ROUNDS_PER_SLOT;
use torchada_project::python::EditDependence;

/// The facts of all slots that were asked for so far, shared by all files of a run.
pub struct SolvedFacts<F, S = Slot> {
    /// Each with whether it depends on the module that somebody edits.
    known: Mutex<FxHashMap<S, (F, bool)>>,
    looks: EditDependence,
    /// The equations that don't depend on the module that somebody edits.
    equations: Mutex<FxHashMap<S, Arc<Term<F, S>>>>,
}

impl<F, S> Default for SolvedFacts<F, S> {
    fn default() -> Self {
        Self::new(&EditDependence::default())
    }
}

impl<F, S> fmt::Debug for SolvedFacts<F, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SolvedFacts")
            .finish_non_exhaustive()
    }
}

impl<F, S> SolvedFacts<F, S> {
    /// Nothing solved yet. `looks` tells which facts depend on the module that somebody edits.
    pub fn new(looks: &EditDependence) -> Self {
        Self {
            known: Mutex::default(),
            looks: looks.clone(),
            equations: Mutex::default(),
        }
    }

    /// Forget what depends on the module that somebody edits.
    pub fn forget_edited(&mut self) {
        let known = self.known.get_mut();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (_, looked)| !*looked);
    }
}

impl<F: Fact, S: Clone + Eq + Hash> SolvedFacts<F, S> {
    fn get(&self, slot: &S) -> Option<(F, bool)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(slot).copied();
        self.looks.again(found.is_some_and(|(_, looked)| looked));
        found
    }

    /// The equation of a slot, and whether it depends on the module that somebody edits.
    fn equation(&self, slot: &S, equation: &dyn Fn(&S) -> Term<F, S>) -> (Arc<Term<F, S>>, bool) {
        if !self.looks.matter() {
            return (Arc::new(equation(slot)), false);
        }
        let lock = || {
            let equations = self.equations.lock();
            equations.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = lock().get(slot) {
            return (Arc::clone(known), false);
        }
        let (term, looked) = self.looks.during(|| Arc::new(equation(slot)));
        if !looked {
            lock().insert(slot.clone(), Arc::clone(&term));
        }
        (term, looked)
    }

    /// The fact that a term stands for. `equation` gives the equation of a slot; it must give the same one whenever it is
    /// asked for the same slot.
    pub fn solve(&self, term: &Term<F, S>, equation: &dyn Fn(&S) -> Term<F, S>) -> F {
        if let Term::Fact(fact) = term {
            return *fact;
        }
        let mut system = System::collect(self, term, equation);
        let facts = system.solve(&self.looks);
        let found = term.value(&|slot| system.fact(&facts, slot));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (one, fact) in system.equations.into_iter().zip(facts) {
            known.insert(one.slot, (fact, one.looked));
        }
        found
    }
}

/// All equations that a term depends on, apart from the slots that are solved already.
struct System<F, S> {
    equations: Vec<Equation<F, S>>,
    numbers: FxHashMap<S, usize>,
    solved: FxHashMap<S, (F, bool)>,
}

/// The equation of a slot.
struct Equation<F, S> {
    slot: S,
    term: Arc<Term<F, S>>,
    /// Whether the equation, or one that it depends on, depends on the module that somebody edits.
    looked: bool,
}

impl<F: Fact, S: Clone + Eq + Hash> System<F, S> {
    fn collect(
        facts: &SolvedFacts<F, S>,
        term: &Term<F, S>,
        equation: &dyn Fn(&S) -> Term<F, S>,
    ) -> Self {
        let mut numbers: FxHashMap<S, usize> = FxHashMap::default();
        let mut solved: FxHashMap<S, (F, bool)> = FxHashMap::default();
        let mut slots: Vec<S> = Vec::new();
        let mut note = |term: &Term<F, S>, slots: &mut Vec<S>| {
            term.each_slot(&mut |slot| {
                if numbers.contains_key(slot) || solved.contains_key(slot) {
                    return;
                }
                if let Some(fact) = facts.get(slot) {
                    solved.insert(slot.clone(), fact);
                } else {
                    numbers.insert(slot.clone(), slots.len());
                    slots.push(slot.clone());
                }
            });
        };
        note(term, &mut slots);
        let mut terms: Vec<(Arc<Term<F, S>>, bool)> = Vec::new();
        while let Some(slot) = slots.get(terms.len()) {
            let (term, looked) = facts.equation(slot, equation);
            note(&term, &mut slots);
            terms.push((term, looked));
        }
        let equations = slots.into_iter().zip(terms);
        let equations = equations.map(|(slot, (term, mut looked))| {
            term.each_slot(&mut |slot| {
                looked |= solved.get(slot).is_some_and(|(_, looked)| *looked);
            });
            Equation { slot, term, looked }
        });
        let equations = equations.collect();
        Self {
            equations,
            numbers,
            solved,
        }
    }

    /// The fact about a slot, where the slots of the system have the facts in `facts`.
    fn fact(&self, facts: &[F], slot: &S) -> F {
        let number = self.numbers.get(slot);
        let found = number.and_then(|&at| facts.get(at));
        let solved = || self.solved.get(slot).map(|(fact, _)| fact);
        found.or_else(solved).copied().unwrap_or_default()
    }

    /// The facts of all slots of the system.
    fn solve(&mut self, looks: &EditDependence) -> Vec<F> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = self.equations.iter().map(|_| graph.add_node(())).collect();
        for (one, &from) in self.equations.iter().zip(&nodes) {
            one.term.each_slot(&mut |slot| {
                if let Some(&to) = self.numbers.get(slot).and_then(|&at| nodes.get(at)) {
                    graph.add_edge(from, to, ());
                }
            });
        }
        let mut facts = vec![F::default(); self.equations.len()];
        // The groups come in an order in which each depends on earlier ones alone.
        for group in kosaraju_scc(&graph) {
            if looks.matter() {
                self.spread_looks(&graph, &group);
            }
            match group.as_slice() {
                [only] if !graph.contains_edge(*only, *only) => {
                    self.solve_one(*only, &mut facts);
                }
                _ => self.solve_group(&graph, &group, &mut facts),
            }
        }
        facts
    }

    /// A group depends on the edited module where one of its equations does, or a group before that it depends on.
    fn spread_looks(&mut self, graph: &DiGraph<(), ()>, group: &[NodeIndex]) {
        let looked = |at: NodeIndex| self.equations.get(at.index()).is_some_and(|one| one.looked);
        let is_looked = group
            .iter()
            .any(|&node| looked(node) || graph.neighbors(node).any(looked));
        for node in group {
            if let Some(one) = self.equations.get_mut(node.index()) {
                one.looked |= is_looked;
            }
        }
    }

    /// The fact of the slot of a node, where the slots that it depends on have the given facts.
    fn value(&self, node: NodeIndex, facts: &[F]) -> F {
        match self.equations.get(node.index()) {
            Some(one) => one.term.value(&|slot| self.fact(facts, slot)),
            None => F::default(),
        }
    }

    /// Solve a slot that depends on solved slots alone.
    fn solve_one(&self, node: NodeIndex, facts: &mut [F]) {
        let found = self.value(node, facts);
        if let Some(fact) = facts.get_mut(node.index()) {
            *fact = found;
        }
    }

    /// Solve slots that depend on each other, all together. A round computes those alone that depend on what the round
    /// before changed: the others would come out as they are.
    fn solve_group(&self, graph: &DiGraph<(), ()>, group: &[NodeIndex], facts: &mut [F]) {
        let members: FxHashSet<NodeIndex> = group.iter().copied().collect();
        let mut due: Vec<NodeIndex> = group.to_vec();
        let mut seen = SeenState::new(group, facts);
        for _ in 0..=group.len() * ROUNDS_PER_SLOT {
            let round: Vec<F> = due.iter().map(|&node| self.value(node, facts)).collect();
            let mut changed: Vec<NodeIndex> = Vec::new();
            for (&node, fact) in due.iter().zip(round) {
                if let Some(old) = facts.get_mut(node.index()).filter(|old| **old != fact) {
                    *old = fact;
                    changed.push(node);
                }
            }
            if changed.is_empty() {
                return;
            }
            if seen.comes_back(group, facts) {
                break;
            }
            let mut next: FxHashSet<NodeIndex> = FxHashSet::default();
            for node in changed {
                let dependents = graph.neighbors_directed(node, Direction::Incoming);
                next.extend(dependents.filter(|one| members.contains(one)));
            }
            due = next.into_iter().collect();
        }
        // Facts that go round for ever say nothing.
        for node in group {
            if let Some(fact) = facts.get_mut(node.index()) {
                *fact = F::default();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn facts_that_go_round_for_ever_are_given_up_early() {
        const SLOTS: usize = 101;
        let computed = Arc::new(AtomicUsize::new(0));
        let equation = |slot: &usize| {
            let computed = Arc::clone(&computed);
            Term::Of((slot + 1) % SLOTS).map(move |fact: bool| {
                computed.fetch_add(1, Ordering::Relaxed);
                !fact
            })
        };
        assert!(!SolvedFacts::default().solve(&Term::Of(0), &equation));
        assert!(computed.load(Ordering::Relaxed) < 8 * SLOTS);
    }
}
