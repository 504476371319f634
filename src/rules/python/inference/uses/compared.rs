//! The texts that the code compares an expression with.

use std::collections::{BTreeMap, BTreeSet};

use crate::python::ModuleView;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// The literals that a body compares an expression with, which is given as it is written.
pub fn compared_in(view: &ModuleView<'_>, body: NodeId, written: &[u8]) -> Vec<Literal> {
    let tree = &view.module.tree;
    let comparisons = tree
        .below(body)
        .take(crate::python::inference::limits::BODY)
        .filter(|&one| {
            let mut sides = tree.children(one);
            tree.kind(one) == Kind::Comparison && sides.any(|side| tree.word(side) == written)
        });
    comparisons
        .flat_map(|one| compared_literals(view, one))
        .collect()
}

/// The fields of a method's own object that are compared in a body, each with the literals of its comparisons.
pub fn compared_fields<'t>(
    view: &ModuleView<'t>,
    body: NodeId,
) -> BTreeMap<&'t [u8], Vec<Literal>> {
    let tree = &view.module.tree;
    let mut found: BTreeMap<&[u8], Vec<Literal>> = BTreeMap::new();
    for one in tree
        .below(body)
        .take(crate::python::inference::limits::BODY)
    {
        if tree.kind(one) == Kind::Comparison {
            let sides = tree.children(one).map(|side| tree.word(side));
            let fields: BTreeSet<&[u8]> = sides
                .filter_map(|side| side.strip_prefix(b"self."))
                .collect();
            for field in fields {
                let literals = found.entry(field).or_default();
                literals.extend(compared_literals(view, one));
            }
        }
    }
    found
}

/// The literals of a comparison, those in lists among them.
pub fn compared_literals(view: &ModuleView<'_>, comparison: NodeId) -> Vec<Literal> {
    let tree = &view.module.tree;
    let sides = tree.children(comparison).flat_map(|side| {
        let is_list = matches!(tree.kind(side), Kind::Tuple | Kind::List | Kind::Set);
        let items = tree.children(side).filter(move |_| is_list);
        std::iter::once(side).chain(items)
    });
    sides.filter_map(|side| Literal::read(tree, side)).collect()
}
