//! What a condition says on MUSA.

use super::super::ModuleView;
use super::super::inference::only_value;
use super::verdict::Verdict;
use super::{generation, question};
use crate::project::replay::Cause;
use crate::syntax::python::{Field, Kind, NodeId};

/// How many conditions inside conditions, and names that are set to others, are followed.
const STEPS: usize = 16;

/// What a condition says on MUSA; `None` where that is not known.
pub fn answer(unit: &ModuleView<'_>, condition: NodeId) -> Option<bool> {
    verdict(unit, condition).map(|one| one.holds)
}

/// What a condition says on MUSA, with the platform that it is about.
pub fn verdict(unit: &ModuleView<'_>, condition: NodeId) -> Option<Verdict> {
    follow(unit, condition, STEPS)
}

fn follow(unit: &ModuleView<'_>, node: NodeId, steps: usize) -> Option<Verdict> {
    let steps = steps.checked_sub(1)?;
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Parenthesized => follow(unit, tree.nth(node, 0)?, steps),
        Kind::Named => follow(unit, tree.child(node, Field::Value)?, steps),
        Kind::Not => follow(unit, tree.nth(node, 0)?, steps).map(Verdict::turned),
        Kind::Boolean => {
            let operator = tree.child(node, Field::Operator)?;
            // `and` is decided by a side that does not hold, `or` by one that does.
            let decides = tree.word(operator) == b"or";
            let sides = tree.children(node).filter(|&side| side != operator);
            let sides: Vec<_> = sides.map(|side| follow(unit, side, steps)).collect();
            let known = || sides.iter().flatten();
            let deciding = known()
                .filter(|one| one.holds == decides)
                .max_by_key(|one| one.cause.clone());
            match deciding {
                Some(one) => Some(one.clone()),
                None if sides.iter().all(Option::is_some) => {
                    // `is_cuda() or is_hip()` is not for AMD's GPUs alone.
                    let beside_musa = known().find(|one| one.cause == Cause::BesideMusa);
                    let several = || known().min_by_key(|one| one.cause.clone());
                    beside_musa.or_else(several).cloned()
                }
                None => None,
            }
        }
        Kind::Identifier => leaf(unit, node).or_else(|| {
            let value = only_value(unit, node)?;
            follow(unit, value, steps)
        }),
        _ => leaf(unit, node),
    }
}

/// What an expression says that is not made of others.
fn leaf(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    question::verdict(unit, node).or_else(|| generation::verdict(unit, node))
}
