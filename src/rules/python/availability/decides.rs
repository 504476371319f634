//! Whether code needs the device: the code names a device, moves a value to one, or calls code that runs on one.

use super::NODES;
use super::unrelated::{
    imports_architecture_questions, imports_questions_for_others,
    is_argument_of_capability_question, uses_cuda_module,
};
use crate::python::ModuleView;
use crate::python::inference::is_cudas_device;
use crate::python::leaving::leaves;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Whether an expression or a statement names a device, or moves a value to one.
pub(super) fn decides_device(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let members = &unit.python_values().members;
    tree.below(node)
        .take(NODES)
        .any(|node| match tree.kind(node) {
            Kind::Str => {
                is_cudas_device(unit, node) && !is_argument_of_capability_question(unit, node)
            }
            // `.cuda()`, `torch.cuda.set_device(…)`
            Kind::Call => {
                let word = unit.module.callee_word(node);
                let mut members = members.iter().filter(|one| one.call);
                members.any(|one| one.cuda.as_bytes() == word)
                    || has(&unit.python_values().availability.takes, word) && of_module(unit, node)
            }
            // `from .kernels import ops`, where the imported module leads to code for the device.
            Kind::ImportFrom
                if imports_questions_for_others(unit, node)
                    || imports_architecture_questions(unit, node) =>
            {
                false
            }
            Kind::ImportFrom => tree.child(node, Field::ModuleName).is_some_and(|module| {
                let name = tree.shown(module);
                let files = unit.modules.files_of(unit.index, &name);
                let last = files.last();
                last.is_some_and(|&file| unit.modules.reaches_device(file))
            }),
            _ => false,
        })
}

/// Whether a statement leaves its block before code that needs the device: `if not torch.cuda.is_available(): return`.
pub(super) fn ends_before_device(unit: &ModuleView<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    let block = tree.parent(statement).filter(|_| leaves(unit, statement));
    let mut behind = block
        .into_iter()
        .flat_map(|block| tree.children(block))
        .filter(|&one| one > statement)
        .take(NODES);
    behind.any(|one| decides_device(unit, one) || uses_cuda_module(unit, one))
}

/// Whether a call calls a name of the module for CUDA.
fn of_module(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let name = unit.callee_name(call);
    name.is_some_and(|name| name.name.starts_with(&unit.python_values().module.cuda))
}
