//! Questions for a capability of CUDA's, as expressions ask them, and what a GPU of MUSA's says to each.

pub(super) mod comparison;
mod predicate;
mod question;

use super::values::Values;
use torchada_syntax::python::{Kind, NodeId};

pub(super) use predicate::{defines, only_capability};
pub(super) use question::Question;

/// The question that an expression asks.
pub(super) fn question(values: &Values<'_>, node: NodeId) -> Option<Question> {
    match values.unit.module.tree.kind(node) {
        Kind::Comparison => Some(comparison::read(values, node)?.question),
        Kind::Call => predicate::read(values, node),
        _ => None,
    }
}
