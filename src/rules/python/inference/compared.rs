//! The texts that the code compares an expression with.

use crate::python::ModuleView;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// The literals that a body compares an expression with, which is given as it is written.
pub fn compared_in(view: &ModuleView<'_>, body: NodeId, written: &[u8]) -> Vec<Literal> {
    let tree = &view.module.tree;
    let comparisons = tree.below(body).take(super::limits::BODY).filter(|&one| {
        let mut sides = tree.children(one);
        tree.kind(one) == Kind::Comparison && sides.any(|side| tree.word(side) == written)
    });
    comparisons
        .flat_map(|one| compared_literals(view, one))
        .collect()
}

/// The literals of a comparison, those in lists among them.
pub(super) fn compared_literals(view: &ModuleView<'_>, comparison: NodeId) -> Vec<Literal> {
    let tree = &view.module.tree;
    let sides = tree.children(comparison).flat_map(|side| {
        let is_list = matches!(tree.kind(side), Kind::Tuple | Kind::List | Kind::Set);
        let items = tree.children(side).filter(move |_| is_list);
        std::iter::once(side).chain(items)
    });
    sides.filter_map(|side| Literal::read(tree, side)).collect()
}
