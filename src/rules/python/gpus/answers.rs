//! What conditions say on MUSA's GPUs, as far as questions for a capability of CUDA's and for platforms decide them.

use super::questions::question;
use super::values::Values;
use crate::python::availability::becomes_musas;
use crate::python::inference::callee::{callees, node_of};
use crate::python::reach as platform;
use crate::python::truth::truth;
use torchada_syntax::python::{Kind, NodeId};

/// Through how many names and functions a condition is followed.
const STEPS: usize = 6;

/// What a condition says on every GPU of MUSA's; `None` where nobody knows.
pub(super) fn answer(values: &Values<'_>, condition: NodeId) -> Option<bool> {
    follow(values, condition, STEPS, Place::Code)
}

/// Where a condition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the code that asks.
    Code,
    /// In a function of the tree's that answers.
    Function,
}

fn follow(values: &Values<'_>, condition: NodeId, steps: usize, place: Place) -> Option<bool> {
    truth(&values.unit, condition, steps, &|node, steps| {
        leaf(values, node, steps, place)
    })
}

/// What an expression says that is not made of others.
fn leaf(values: &Values<'_>, node: NodeId, steps: usize, place: Place) -> Option<bool> {
    let unit = &values.unit;
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::True => return Some(true),
        Kind::False | Kind::None => return Some(false),
        Kind::Comparison | Kind::Call => {
            if let Some(question) = question(values, node) {
                return question.answer;
            }
        }
        _ => {}
    }
    let by_platform = platform::leaf(unit, node).map(|one| one.holds);
    by_platform.or_else(|| match tree.kind(node) {
        Kind::Attribute => gives_none(values, node).then_some(false),
        Kind::Comparison => comparison_with_none(values, node),
        // What the port makes of such a question is only followed to what the project's own questions say.
        Kind::Call if place == Place::Function && unit.asks_for_gpu(node) => {
            unit.is_musa().then(|| becomes_musas(unit, node))
        }
        Kind::Call => answer_of_function(values, node, steps),
        _ => None,
    })
}

/// Whether an expression is the version of CUDA itself, which is None on MUSA.
pub(super) fn gives_none(values: &Values<'_>, node: NodeId) -> bool {
    let fact = values.of(node);
    fact.is_some_and(|fact| fact.is_version() && fact.origin == Some(node))
}

/// `torch.version.cuda is not None`
fn comparison_with_none(values: &Values<'_>, comparison: NodeId) -> Option<bool> {
    let tree = &values.unit.module.tree;
    let (left, right) = (tree.nth(comparison, 0)?, tree.nth(comparison, 1)?);
    let is_none = tree.kind(right) == Kind::None && tree.nth(comparison, 2).is_none();
    if !is_none || !gives_none(values, left) {
        return None;
    }
    match tree.operator(comparison) {
        b"is" | b"==" => Some(true),
        b"is not" | b"!=" => Some(false),
        _ => None,
    }
}

/// What a function of the tree's says that does nothing but return one condition.
fn answer_of_function(values: &Values<'_>, call: NodeId, steps: usize) -> Option<bool> {
    let unit = &values.unit;
    let called = callees(unit, call);
    let &[callee] = called.as_slice() else {
        return None;
    };
    let head = unit.modules.function(callee)?;
    if callee.file == unit.index {
        let function = node_of(unit, head.name, head.at)?;
        return only_return(values, function, steps);
    }
    let other = unit.other(callee.file)?;
    let function = node_of(&other, head.name, head.at)?;
    only_return(&Values::new(other, values.gpus), function, steps)
}

fn only_return(values: &Values<'_>, function: NodeId, steps: usize) -> Option<bool> {
    let mut returned = values.returns(function);
    let only = returned.next().filter(|_| returned.next().is_none())?;
    follow(values, only, steps, Place::Function)
}
