//! Values beside the text that says what they are for: the label of a widget, the name of an option in a dictionary.

use super::StringRole;
use super::names::by_name;
use crate::python::ModuleView;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// The role of the values of a widget whose label is a name of devices: `Dropdown(label="Device", choices=["cpu", "cuda"])`.
pub fn of_label(view: &ModuleView<'_>, call: NodeId, keyword: &[u8]) -> Option<StringRole> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    if !has(&known.labelled, keyword) {
        return None;
    }
    let label = tree.arguments(call).find(|&one| {
        let name = tree.child(one, Field::Name);
        name.is_some_and(|name| has(&known.labels, tree.word(name)))
    })?;
    let label = Literal::read(tree, tree.child(label, Field::Value)?)?;
    let name = label.value().to_ascii_lowercase();
    let name: Vec<&[u8]> = name.split(u8::is_ascii_whitespace).collect();
    device(view, &name.join(&b'_'))
}

/// The role of the default of an option that a dictionary describes: `{"name": "--device", "default": "cuda:0"}`.
pub fn of_description(view: &ModuleView<'_>, pair: NodeId) -> Option<StringRole> {
    let known = &view.context.knowledge.python_strings.options;
    let tree = &view.module.tree;
    let text = |pair: NodeId, field| Literal::read(tree, tree.child(pair, field)?);
    let is_key = |pair: NodeId, words: &[String]| {
        text(pair, Field::Key).is_some_and(|key| has(words, key.value()))
    };
    if !is_key(pair, &view.python_values().words_of_calls.field_values) {
        return None;
    }
    let mut entries = tree.children(tree.parent(pair)?);
    let named = entries.find(|&one| tree.kind(one) == Kind::Pair && is_key(one, &known.names))?;
    let name = text(named, Field::Value)?;
    let name = name.value().strip_prefix(b"-")?;
    device(view, name.strip_prefix(b"-").unwrap_or(name))
}

/// The role of a device, if a name is one of devices.
fn device(view: &ModuleView<'_>, name: &[u8]) -> Option<StringRole> {
    let role = by_name(view, name);
    (role.is_device()).then_some(role)
}
