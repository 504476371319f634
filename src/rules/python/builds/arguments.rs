//! The flags among the arguments of a builder of extensions: a dictionary that has a list for each compiler.

use super::flag_lists::{builder, plain};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Flags by compiler.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !super::is_of_build(unit) {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.of_any(&[Kind::Call, Kind::Dictionary]) {
        if tree.kind(node) == Kind::Dictionary {
            copy_list_for_mcc(unit, out, node);
        } else if builder(unit, node).is_some()
            && let Some(value) = argument(unit, node)
            && is_list(unit, value)
        {
            by_compiler(unit, out, value);
        }
    }
}

/// The flags that a call of a builder is given.
pub(super) fn argument(unit: &ModuleView<'_>, call: NodeId) -> Option<NodeId> {
    let keyword = &unit.context.knowledge.builds.extensions.arguments;
    unit.module.tree.keyword(call, keyword.as_bytes())
}

/// Whether an expression is a list, and surely no dictionary.
fn is_list(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::List | Kind::ListComprehension => true,
        Kind::Binary => tree.children(node).any(|side| is_list(unit, side)),
        Kind::Identifier => {
            let bindings = unit.module.meanings(node);
            let kinds = bindings.iter().map(|one| Some(tree.kind(one.value()?)));
            let is_list_or_sum = |kind| matches!(kind, Some(Kind::List | Kind::Binary));
            kinds.clone().all(is_list_or_sum) && kinds.clone().any(|kind| kind == Some(Kind::List))
        }
        _ => false,
    }
}

/// `flags` becomes a list for each compiler: `torch_musa` adds to mcc's.
fn by_compiler(unit: &PythonUnit<'_>, out: &mut Outcome, value: NodeId) {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions;
    let Some(musa) = known.compilers.values().next() else {
        return;
    };
    let behind = format!(" for compiler in (\"{}\", \"{musa}\")}}", known.host_key);
    let (front, behind) = match tree.kind(value) {
        Kind::Identifier => ("{compiler: list(", format!("){behind}")),
        _ => ("{compiler: ", behind),
    };
    wrap(unit, out, value, front, &behind);
}

/// Give mcc a copy of a list that both compilers take, because `torch_musa` adds to the list.
fn copy_list_for_mcc(unit: &PythonUnit<'_>, out: &mut Outcome, dictionary: NodeId) {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions;
    let mut host: Option<&[u8]> = None;
    let mut device: Option<NodeId> = None;
    for pair in tree.children(dictionary) {
        let key = tree
            .child(pair, Field::Key)
            .and_then(|key| plain(unit, key));
        let (Some(key), Some(value)) = (key, tree.child(pair, Field::Value)) else {
            continue;
        };
        if has(&known.host_keys, &key) {
            host = Some(tree.word(value));
        } else if known.compilers.keys().any(|one| one.as_bytes() == key) {
            device.get_or_insert(value);
        }
    }
    let same = device.filter(|&one| {
        matches!(tree.kind(one), Kind::Identifier | Kind::Attribute) && Some(tree.word(one)) == host
    });
    if let Some(value) = same {
        wrap(unit, out, value, "list(", ")");
    }
}

fn wrap(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, front: &str, behind: &str) {
    let range = unit.module.tree.range(node);
    let group = out.group();
    for (at, to) in [(range.start, front), (range.end, behind)] {
        let change = Change::new(TextRange::new(at, at), to);
        if !unit.change(out, change.group(group)) {
            out.edits.withdraw(group);
            return;
        }
    }
}
