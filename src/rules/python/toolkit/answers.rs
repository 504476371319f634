//! What code takes where a program of NVIDIA's is there.

use crate::python::ModuleView;
use crate::python::inference::any_use;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// How many nodes of the code that an answer decides are looked at.
const NODES: usize = 600;

/// Whether the code takes a build for a release of CUDA's where a value is true: `"cu121" if which("nvidia-smi") else "cpu"`,
/// also through the variable that holds the value.
pub(super) fn takes_release(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let top = top_of_condition(unit, value);
    if decides_on_release(unit, top) {
        return true;
    }
    let Some(left) = tree
        .assigned_target(top)
        .filter(|&left| tree.kind(left) == Kind::Identifier)
    else {
        return false;
    };
    any_use(unit, left, &mut |other, node| {
        decides_on_release(other, top_of_condition(other, node))
    })
}

/// The whole of the condition that a value is a part of.
fn top_of_condition(unit: &ModuleView<'_>, value: NodeId) -> NodeId {
    let tree = &unit.module.tree;
    let is_part = |&up: &NodeId| {
        let parts = [
            Kind::Not,
            Kind::Parenthesized,
            Kind::Boolean,
            Kind::Comparison,
        ];
        parts.contains(&tree.kind(up))
    };
    tree.ancestors(value)
        .take_while(is_part)
        .last()
        .unwrap_or(value)
}

/// Whether a condition decides on a build for a release of CUDA's.
fn decides_on_release(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let releases = &unit.context.knowledge.builds.scripts.releases;
    let branch = tree.decided_by(condition);
    let mut inside = branch.into_iter().flat_map(|up| tree.below(up)).take(NODES);
    inside.any(|node| {
        let text = Literal::read(tree, node);
        text.is_some_and(|text| {
            let text = text.text();
            releases.is_mark(&text)
                || releases.are_in_version(&text)
                || releases.are_in_address(&text)
        })
    })
}
