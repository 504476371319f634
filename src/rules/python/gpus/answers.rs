//! What conditions say on MUSA's GPUs, as far as questions for a capability of CUDA's and for platforms decide them.

use super::questions::question;
use super::values::Values;
use crate::rules::python::inference::only_value;
use crate::rules::python::reach as platform;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// Through how many names and functions a condition is followed.
pub(super) const STEPS: usize = 6;

/// What a condition says on every GPU of MUSA's; `None` where nobody knows.
pub(super) fn answer(values: &Values<'_>, condition: NodeId, steps: usize) -> Option<bool> {
    let steps = steps.checked_sub(1)?;
    let tree = &values.unit.module.tree;
    let inner = || tree.nth(condition, 0);
    match tree.kind(condition) {
        Kind::True => Some(true),
        Kind::False | Kind::None => Some(false),
        Kind::Parenthesized => answer(values, inner()?, steps),
        Kind::Not => answer(values, inner()?, steps).map(|one| !one),
        Kind::Named => answer(values, tree.child(condition, Field::Value)?, steps),
        Kind::Boolean => {
            let operator = tree.child(condition, Field::Operator)?;
            let decides = tree.word(operator) == b"or";
            let sides = [Field::Left, Field::Right].map(|side| {
                let side = tree.child(condition, side);
                side.and_then(|side| answer(values, side, steps))
            });
            if sides.contains(&Some(decides)) {
                return Some(decides);
            }
            let [left, right] = sides;
            left.and(right)
        }
        Kind::Comparison | Kind::Call => match question(values, condition) {
            Some(question) => question.answer,
            None => platform::answer(&values.unit, condition)
                .or_else(|| answer_of_function(values, condition, steps)),
        },
        Kind::Identifier => platform::answer(&values.unit, condition)
            .or_else(|| answer(values, only_value(&values.unit, condition)?, steps)),
        _ => platform::answer(&values.unit, condition),
    }
}

/// What a function of the module says that does nothing but return one condition.
fn answer_of_function(values: &Values<'_>, call: NodeId, steps: usize) -> Option<bool> {
    let module = values.unit.module;
    let tree = &module.tree;
    let callee = tree.child(call, Field::Function)?;
    if tree.kind(callee) != Kind::Identifier {
        return None;
    }
    let [binding] = module.bindings(callee, tree.word(callee)).1 else {
        return None;
    };
    let What::Function(function) = binding.what else {
        return None;
    };
    let mut returned = values.returns(function);
    let only = returned.next().filter(|_| returned.next().is_none())?;
    answer(values, only, steps)
}
