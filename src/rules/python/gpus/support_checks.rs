//! Calls that ask whether the GPU is one of NVIDIA's: `has_device_capability(90)`,
//! `is_sm90_supported()`, `is_hopper()`.

use super::codes::ASKS;
use super::numbers::features_on_musa;
use super::questions::question;
use super::review::Review;
use super::wording::short;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// Report a call that asks for a GPU of NVIDIA's.
pub(super) fn check(review: &Review<'_, '_>, out: &mut Outcome, call: NodeId) {
    let unit = review.unit;
    let Some(question) = question(review, call) else {
        return;
    };
    // If the function is the module's own, the comparison in its body is reported instead.
    if is_of_module(review, call) || review.decide(out, &question) {
        return;
    }
    let number = question.number.unwrap_or_default();
    let tree = &unit.module.tree;
    let range = tree.range(call);
    let message = format!("`{}` asks for a GPU of NVIDIA's", short(&unit.shown(range)));
    let help = features_on_musa(unit.context.tables.architectures(), number);
    let finding = unit.finding(ASKS, range, message);
    out.findings.push(finding.help(help));
}

/// Whether a call calls a function of the module.
fn is_of_module(review: &Review<'_, '_>, call: NodeId) -> bool {
    let module = review.unit.module;
    let tree = &module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    if tree.kind(callee) != Kind::Identifier {
        return false;
    }
    let (_, bindings) = module.bindings(callee, tree.word(callee));
    bindings
        .iter()
        .any(|one| matches!(one.what, What::Function(_)))
}
