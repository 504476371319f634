//! Questions for a GPU that pick a builder of extensions.

use crate::python::ModuleView;
use crate::python::builds::{forces_other_build, picks_builder};
use crate::python::reserved::cuda_conditions::stays;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// Whether a question picks the builder of an extension. The builder is MUSA's in the port, so the question is for
/// MUSA's GPU, even if the condition asks for other platforms, too. A branch that stays for CUDA as one of several keeps
/// its question.
pub fn is_for_builder(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.call_of(name);
    let Some(call) = call.filter(|&call| picks_builder(unit, call)) else {
        return false;
    };
    !opens_other_build(unit, call) && !stays(unit, tree.whole_condition(call))
}

/// Whether the condition around a question also has a variable that forces a build for CUDA, in a module that has a
/// build for MUSA with a variable of its own.
pub(super) fn opens_other_build(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_part = |&one: &NodeId| matches!(tree.kind(one), Kind::Boolean | Kind::Parenthesized);
    let Some(top) = tree.ancestors(call).take_while(is_part).last() else {
        return false;
    };
    let mut texts = tree
        .below(top)
        .filter_map(|node| Literal::read(tree, node))
        .filter_map(|text| String::from_utf8(text.value().to_vec()).ok());
    texts.any(|text| forces_other_build(unit, &text))
}
