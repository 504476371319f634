//! Keywords on which an operator depends: `AdamW(…, fused=True)`.

use crate::python::ModuleView;
use crate::python::inference::is_cudas_device;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// How many nodes of a value are looked at.
const NODES: usize = 64;

/// Whether a call gives a keyword the value `True`: by itself, where the device is a GPU, or in a dictionary that it unpacks.
pub(super) fn is_true(view: &ModuleView<'_>, call: NodeId, keyword: &str) -> bool {
    let tree = &view.module.tree;
    if let Some(value) = tree.keyword(call, keyword.as_bytes()) {
        return is_literal_true(view, value)
            || alternatives(view, value).any(|one| asks_for_device(view, one));
    }
    tree.unpacked_by(call).any(|unpacked| {
        alternatives(view, unpacked).any(|one| has_true(view, one, keyword))
            || is_set_to_true(view, unpacked, keyword)
    })
}

fn is_literal_true(view: &ModuleView<'_>, value: NodeId) -> bool {
    view.module.tree.word(value) == b"True"
}

/// The values that an expression may have: what is assigned to a name, and both arms of a conditional.
fn alternatives<'u>(view: &'u ModuleView<'_>, value: NodeId) -> impl Iterator<Item = NodeId> + 'u {
    let tree = &view.module.tree;
    let assigned: Vec<NodeId> = match tree.kind(value) {
        Kind::Identifier => view
            .places_of_binding(value)
            .filter(|&one| tree.field(one) == Field::Left)
            .filter_map(|one| tree.child(tree.parent(one)?, Field::Right))
            .collect(),
        _ => vec![value],
    };
    let arms = move |value: NodeId| match tree.kind(value) {
        Kind::Conditional => [tree.nth(value, 0), tree.nth(value, 2)],
        _ => [Some(value), None],
    };
    assigned.into_iter().flat_map(arms).flatten()
}

/// Whether an expression asks whether a device is CUDA's: `device_type == "cuda"`.
fn asks_for_device(view: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &view.module.tree;
    let mut inside = tree.with_below(value).take(NODES);
    inside.any(|node| is_cudas_device(view, node))
}

/// Whether a dictionary has an entry that is true: `{"fused": True}`, `dict(fused=True)`.
fn has_true(view: &ModuleView<'_>, value: NodeId, key: &str) -> bool {
    let tree = &view.module.tree;
    match tree.kind(value) {
        Kind::Call if view.module.callee_word(value) == b"dict" => {
            let value = tree.keyword(value, key.as_bytes());
            value.is_some_and(|value| is_literal_true(view, value))
        }
        Kind::Dictionary => tree.children(value).any(|pair| {
            let value = tree.child(pair, Field::Value);
            is_text(view, tree.child(pair, Field::Key), key)
                && value.is_some_and(|value| is_literal_true(view, value))
        }),
        _ => false,
    }
}

/// Whether the code sets an entry of a dictionary's to true: `options["fused"] = True`.
fn is_set_to_true(view: &ModuleView<'_>, name: NodeId, key: &str) -> bool {
    let tree = &view.module.tree;
    if tree.kind(name) != Kind::Identifier {
        return false;
    }
    let mut places = view.places_of_binding(name);
    places.any(|place| {
        let entry = tree.parent(place).filter(|&up| {
            tree.kind(up) == Kind::Subscript
                && tree.field(up) == Field::Left
                && is_text(view, tree.child(up, Field::Subscript), key)
        });
        let value = entry.and_then(|entry| tree.child(tree.parent(entry)?, Field::Right));
        value.is_some_and(|value| is_literal_true(view, value))
    })
}

fn is_text(view: &ModuleView<'_>, node: Option<NodeId>, text: &str) -> bool {
    let literal = node.and_then(|node| Literal::read(&view.module.tree, node));
    literal.is_some_and(|literal| literal.value() == text.as_bytes())
}
