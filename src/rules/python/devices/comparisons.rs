//! In the portable dialect, a device of `PyTorch`'s that is compared with a name whose value is the text of CUDA's
//! device. On MUSA, the device is MUSA's, but the text still is CUDA's.

use crate::Outcome;
use crate::python::inference::{cudas_device, is_type_of_device, written_values};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::ONLY_CUDA_PASSES;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// Comparisons of devices with names.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for node in tree.of(Kind::Comparison) {
        if !tree.is_broken(node) {
            report_comparison(unit, out, node);
        }
    }
}

/// Report a comparison that is false on MUSA because of the text that a name has.
fn report_comparison(unit: &PythonUnit<'_>, out: &mut Outcome, comparison: NodeId) {
    let tree = &unit.module.tree;
    let parts: Vec<NodeId> = tree.children(comparison).take(4).collect();
    let [left, operator, right] = *parts.as_slice() else {
        return;
    };
    if !matches!(tree.word(operator), b"==" | b"!=") {
        return;
    }
    for (device, name) in [(left, right), (right, left)] {
        if tree.kind(name) != Kind::Identifier || !is_type_of_device(unit, device) {
            continue;
        }
        let cuda = written_values(unit, name)
            .into_iter()
            .find_map(|value| as_device(unit, value));
        if let Some((cuda, musa)) = cuda {
            let shown = tree.shown(name);
            let message =
                format!("`{shown}` may be \"{cuda}\", which a device of MUSA's is not equal to");
            let help =
                format!("compare with `torch.device({shown}).type`, which is \"{musa}\" on MUSA");
            unit.report(out, ONLY_CUDA_PASSES, tree.range(comparison), message, help);
        }
    }
}

/// CUDA's device that a text names, and MUSA's device for it.
fn as_device<'u>(unit: &ModuleView<'u>, node: NodeId) -> Option<(&'u str, &'u str)> {
    let literal = Literal::read(&unit.module.tree, node)?;
    cudas_device(unit, &literal).map(|one| (one.cuda.as_str(), one.to.as_str()))
}
