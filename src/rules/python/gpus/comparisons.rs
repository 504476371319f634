//! Comparisons with compute capabilities of CUDA's.

use super::numbers::{Form, features_on_musa, outcome};
use super::questions::comparison::{compares_major_too, read};
use super::review::Review;
use super::rewrite::rewrite;
use super::wording::short;
use crate::Outcome;
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::{ANSWERED, NUMBER};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::NodeId;

/// Report a comparison with a number of CUDA's. Returns the calls whose capabilities the comparison uses.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, node: NodeId) -> Vec<NodeId> {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let Some(comparison) = read(review, node) else {
        return Vec::new();
    };
    let parts = comparison.parts.iter();
    let origins: Vec<NodeId> = parts.filter_map(|part| part.value.origin).collect();
    let Some(first) = comparison.first() else {
        return origins;
    };
    if first.value.gives == GpuValueKind::Minor && compares_major_too(review, node) {
        return origins;
    }
    let range = tree.range(node);
    let text = short(&unit.shown(range));
    let targets = unit.context.tables.targets();
    let message = format!(
        "`{text}` is {}",
        outcome(targets, |musa| comparison.is_true(musa))
    );
    let help = match first.literal.numbers.iter().min() {
        Some(&number) if first.literal.form != Form::Minor => {
            features_on_musa(unit.context.tables.architectures(), number)
        }
        _ => "MUSA's GPUs count 2.1, 2.2, 3.1".to_owned(),
    };
    let whole = match comparison.parts.as_slice() {
        [part] if comparison.is_whole && unit.is_musa() => Some(part),
        _ => None,
    };
    // What asks PyTorch asks torch_musa in the port, so the number may become MUSA's.
    let asks_pytorch = whole.filter(|part| part.value.origin.is_some());
    if let Some(part) = asks_pytorch.filter(|_| review.is_wanted(&comparison.question)) {
        let written = rewrite(review, out, node, part, Applicability::Safe);
        if let Some(to) = written {
            let message = format!("`{text}` asks for what MUSA's GPUs have from `{to}` on");
            unit.report(out, ANSWERED, range, message, help);
            return origins;
        }
    }
    if review.decide(out, &comparison.question) {
        return origins;
    }
    if let Some(part) = whole {
        rewrite(review, out, node, part, Applicability::Unsafe);
    }
    unit.report(out, NUMBER, range, message, help);
    origins
}
