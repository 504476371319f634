//! Tables that are searched for a capability.

use super::numbers::all_capabilities;
use super::review::Review;
use super::wording::short;
use crate::Outcome;
use torchada_diagnostic::codes::python::NUMBER;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Report a table or a `match` that is searched for a capability: `TABLE[capability]`, `TABLE.get(capability)`.
/// Returns the call that gives the capability.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, node: NodeId) -> Option<NodeId> {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let (table, key) = match tree.kind(node) {
        Kind::Subscript => (
            tree.child(node, Field::Value)?,
            tree.child(node, Field::Subscript)?,
        ),
        Kind::Call if unit.module.callee_word(node) == b"get" => {
            let callee = tree.callee(node)?;
            let arguments = tree.child(node, Field::Arguments)?;
            (tree.child(callee, Field::Object)?, tree.nth(arguments, 0)?)
        }
        Kind::Match => {
            let subject = tree.child(node, Field::Subject)?;
            (subject, subject)
        }
        _ => return None,
    };
    let value = review.single(key)?;
    let is_number = matches!(
        value.gives,
        GpuValueKind::Pair
            | GpuValueKind::Capability
            | GpuValueKind::Major
            | GpuValueKind::Number
            | GpuValueKind::Text
    );
    // A name by itself may belong to anything.
    if !is_number || value.origin.is_none() {
        return None;
    }
    let place = if table == key { key } else { node };
    let fallback = Some(node)
        .filter(|&node| tree.kind(node) == Kind::Call)
        .and_then(|call| tree.argument(call, 1));
    if review.decide_lookup(place, fallback) {
        return value.origin;
    }
    let range = tree.range(place);
    let message = format!(
        "`{}` is chosen by a compute capability, which has other numbers on MUSA",
        short(&unit.shown(range))
    );
    let help = format!(
        "add the numbers of MUSA's GPUs: {}",
        all_capabilities(unit.context.tables.targets())
    );
    unit.report(out, NUMBER, range, message, help);
    value.origin
}
