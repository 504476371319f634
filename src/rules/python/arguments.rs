//! What a string is that a call takes.

use super::options::has;
use super::string_role::{StringRole, by_name, expression, name_or_uses};
use super::{ModuleView, callee, uses};
use crate::mapping::ValueKind;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// What a keyword takes.
pub fn keyword(unit: &ModuleView<'_>, call: NodeId, name: NodeId) -> StringRole {
    let word = unit.module.tree.word(name);
    let known = &unit.context.knowledge.python_strings.options;
    let words = &unit.python_values().words_of_calls;
    if has(&known.values, word)
        && let Some(option) = first_text(unit, call, 0)
    {
        return by_name(unit, option.trim_start_matches('-').as_bytes());
    }
    // `device: str = field(default="cuda")`
    if has(&words.field_values, word)
        && let Consumer::Target { target } = unit.module.use_of(call).consumer
    {
        return name_or_uses(unit, target);
    }
    if has(&words.message_keywords, word) {
        return StringRole::Text;
    }
    // `torch.device(type="cuda")`
    let callee = unit.module.callee(call);
    let known = callee.and_then(|one| unit.python_values().keyword_of(&one.name, word));
    known.map_or_else(|| by_name(unit, word), StringRole::Known)
}

/// What a positional argument is.
pub fn argument(
    unit: &ModuleView<'_>,
    of: &Use,
    call: NodeId,
    position: Option<usize>,
) -> StringRole {
    let module = unit.module;
    let Some(position) = position else {
        return StringRole::Unknown;
    };
    let python_values = unit.python_values();
    if let Some(callee) = module.callee(call) {
        if python_values.paths.contains(&callee.name) {
            return StringRole::Known(ValueKind::Other);
        }
        if let Some(kind) = python_values.argument(&callee.name, position) {
            return StringRole::Known(kind);
        }
        // It may come through a module of the tree's own.
        let outer = tree_callee(unit, call);
        if let Some(kind) = outer.and_then(|outer| python_values.argument(&outer, position)) {
            return StringRole::Known(kind);
        }
        // What the functions of the module take as a text is a device.
        let inside = callee.name.strip_prefix(&python_values.module.cuda);
        if callee.is_sure() && inside.is_some_and(|rest| rest.starts_with('.')) {
            return StringRole::Known(ValueKind::Device);
        }
    }
    let tree = &module.tree;
    let callee = tree.child(call, Field::Function);
    let method = callee.filter(|&one| tree.kind(one) == Kind::Attribute);
    if method.is_some()
        && let Some(kind) = python_values.argument(
            &format!(".{}", String::from_utf8_lossy(module.callee_word(call))),
            position,
        )
    {
        return StringRole::Known(kind);
    }
    by_other_part(unit, of, call, position)
}

/// What an argument is by another part of the call.
fn by_other_part(unit: &ModuleView<'_>, of: &Use, call: NodeId, position: usize) -> StringRole {
    let module = unit.module;
    let tree = &module.tree;
    let words = &unit.python_values().words_of_calls;
    let word = module.callee_word(call);
    let object = || {
        let callee = tree.child(call, Field::Function)?;
        tree.child(callee, Field::Object)
    };
    let behind_key = |list: &[String], at: usize| position == at && has(list, word);
    // `options.get("device", "cuda")`, `getattr(options, "device", "cuda")`
    if behind_key(&words.keyed, 1) || behind_key(&words.attributes, 2) {
        first_text(unit, call, position - 1)
            .map_or(StringRole::Unknown, |key| by_name(unit, key.as_bytes()))
    // `devices.append("cuda")`
    } else if behind_key(&words.collects, 0) || behind_key(&words.inserts, 1) {
        object().map_or(StringRole::Unknown, |object| {
            by_name(unit, &module.last_name(object))
        })
    } else if has(&words.cases, word) {
        parametrized(unit, &module.use_of(call), Some(position))
    } else if behind_key(&words.runs, 1) {
        let item = of.items().next().map(|item| tree.ordinal(item));
        parametrized(unit, of, item)
    } else if behind_key(&words.compares_front, 0) {
        object().map_or(StringRole::Unknown, |object| expression(unit, object))
    // `assertEqual(x.device.type, "cuda")`
    } else if position < 2 && has(&words.compares, word) {
        let other = tree.argument(call, 1 - position);
        other.map_or(StringRole::Unknown, |other| expression(unit, other))
    // Exceptions are raised with messages.
    } else if has(&words.messages, word)
        || words
            .errors
            .iter()
            .any(|end| word.ends_with(end.as_bytes()))
    {
        StringRole::Text
    } else {
        StringRole::Unknown
    }
}

/// The name outside the tree that a callee has in the end.
fn tree_callee(unit: &ModuleView<'_>, call: NodeId) -> Option<String> {
    let callee = unit.module.tree.child(call, Field::Function)?;
    callee::outer_name(unit, callee)
}

/// What a value is that a test is run with: `parametrize("n,device", [(1, "cuda"), …])`. `item` is
/// the place of the value in a tuple of several.
fn parametrized(unit: &ModuleView<'_>, of: &Use, item: Option<usize>) -> StringRole {
    let Consumer::Argument {
        call,
        position: Some(1),
    } = of.consumer
    else {
        return StringRole::Unknown;
    };
    let words = &unit.python_values().words_of_calls;
    if !has(&words.runs, unit.module.callee_word(call)) {
        return StringRole::Unknown;
    }
    let Some(names) = first_text(unit, call, 0) else {
        return StringRole::Unknown;
    };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let name = match names.as_slice() {
        [one] => Some(one),
        several => item.and_then(|item| several.get(item)),
    };
    let Some(name) = name else {
        return StringRole::Unknown;
    };
    match by_name(unit, name.as_bytes()) {
        StringRole::Unknown => {
            let tree = &unit.module.tree;
            let function = tree
                .ancestors(call)
                .find(|&one| tree.kind(one) == Kind::Decorated)
                .and_then(|one| {
                    tree.children(one)
                        .find(|&one| tree.kind(one) == Kind::Function)
                });
            function.map_or(StringRole::Unknown, |function| {
                uses::parameter_of(unit, function, name.as_bytes())
            })
        }
        found => found,
    }
}

/// The text of an argument that is a plain string.
pub fn first_text(unit: &ModuleView<'_>, call: NodeId, position: usize) -> Option<String> {
    let tree = &unit.module.tree;
    let literal = Literal::read(tree, tree.argument(call, position)?)?;
    let text = literal.is_plain().then(|| literal.value().to_vec())?;
    String::from_utf8(text).ok()
}
