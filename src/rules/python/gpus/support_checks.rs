//! Calls that ask whether the GPU is one of NVIDIA's: `has_device_capability(90)`,
//! `is_sm90_supported()`, `is_hopper()`.

use super::numbers::features_on_musa;
use super::questions::{only_capability, question};
use super::review::Review;
use super::rewrite::rewrite_number;
use super::wording::short;
use crate::Outcome;
use crate::python::inference::callee::callees;
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::{ANSWERED, ASKS};
use torchada_syntax::python::NodeId;

/// Report a call that asks for a GPU of NVIDIA's.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, call: NodeId) {
    let unit = review.unit;
    let Some(question) = question(review, call) else {
        return;
    };
    // If the function is the module's own, the comparison in its body is reported instead.
    if review.unit.module.functions_called(call).next().is_some() {
        return;
    }
    let number = question.number.unwrap_or_default();
    let tree = &unit.module.tree;
    let range = tree.range(call);
    let shown = short(&unit.shown(range));
    let help = features_on_musa(unit.context.tables.architectures(), number);
    // The project's function compares what PyTorch says of the GPU, which is what torch_musa says in the port.
    let threshold =
        only_capability(review, call).filter(|_| unit.is_musa() && is_of_tree(review, call));
    if let Some((written, literal)) = threshold.filter(|_| review.is_wanted(&question)) {
        let at = (call, written);
        if let Some(to) = rewrite_number(review, out, at, &literal, Applicability::Safe) {
            let message = format!("`{shown}` asks for what MUSA's GPUs have from `{to}` on");
            unit.report(out, ANSWERED, range, message, help);
            return;
        }
    }
    if review.decide(out, &question) {
        return;
    }
    let message = format!("`{shown}` asks for a GPU of NVIDIA's");
    unit.report(out, ASKS, range, message, help);
}

/// Whether the tree has a function or a method of the name that a call calls.
fn is_of_tree(review: &Review<'_>, call: NodeId) -> bool {
    let unit = review.unit;
    let word = String::from_utf8_lossy(unit.module.callee_word(call));
    !unit.modules.methods(&word).is_empty() || !callees(unit, call).is_empty()
}
