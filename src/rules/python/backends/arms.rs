//! Backends of process groups that code gives where the device is a GPU, beside those that it gives for other vendors':
//! `if kind == "cuda": return "nccl"`, `elif kind == "npu": return "hccl"`.

use crate::python::ModuleView;
use crate::python::availability::beside_others::asks_for_gpu;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// Whether a backend is that of the GPU that the port runs on: it is given where a condition asks for this GPU, and the
/// same code gives another vendor's backend elsewhere.
pub fn is_of_gpu_by_arm(unit: &ModuleView<'_>, of: &Use, text: NodeId, beside: &[Literal]) -> bool {
    let tree = &unit.module.tree;
    let others = &unit.python_values().process_groups.others;
    let is_given = matches!(
        of.consumer,
        Consumer::Return { .. } | Consumer::Target { .. }
    );
    if !is_given || !beside.iter().any(|one| has(others, one.value())) {
        return false;
    }
    let mut at = text;
    for up in tree.ancestors(text) {
        match tree.kind(up) {
            Kind::If | Kind::Elif if tree.field(at) == Field::Consequence => {
                let condition = tree.child(up, Field::Condition);
                return condition.is_some_and(|condition| asks_for_gpu(unit, condition));
            }
            Kind::Function | Kind::Class | Kind::Lambda => return false,
            _ => at = up,
        }
    }
    false
}
