//! What a string is, by what takes it.

use super::arguments::{argument, first_text, keyword};
use super::options::has;
use super::uses::{self, Part};
use super::{ModuleView, callee, options};
use crate::mapping::ValueKind;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// What a string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringRole {
    /// A value of a kind.
    Known(ValueKind),
    /// Text for people: a message, a docstring, a statement by itself.
    Text,
    /// A device, and something else, too.
    Ambiguous,
    /// Nobody knows.
    Unknown,
}

/// What a string is whose use is given.
pub fn string_role(unit: &ModuleView<'_>, of: &Use) -> StringRole {
    match by_position(unit, of) {
        StringRole::Unknown => by_uses(unit, of),
        found => found,
    }
}

/// What a string is by what is done with the name that holds it.
pub fn by_uses(unit: &ModuleView<'_>, of: &Use) -> StringRole {
    let tree = &unit.module.tree;
    match of.consumer {
        Consumer::Target { target } => uses::target(unit, target),
        Consumer::Loop { target } => {
            let mut items = of.items();
            match (tree.kind(target), items.next(), items.next()) {
                (Kind::Identifier, _, None) => uses::target(unit, target),
                // `for name, where in [("a", "cuda"), …]`
                (_, Some(item), Some(_)) => tree
                    .nth(target, tree.ordinal(item))
                    .map_or(StringRole::Unknown, |one| name_or_uses(unit, one)),
                _ => StringRole::Unknown,
            }
        }
        Consumer::Default { name, .. } => uses::variable(unit, name),
        Consumer::Return {
            function: Some(function),
        } => uses::result(unit, function),
        Consumer::Keyword { call, name } => {
            taken(unit, call, Err(&String::from_utf8_lossy(tree.word(name))))
        }
        Consumer::Argument {
            call,
            position: Some(position),
        } => taken(unit, call, Ok(position)),
        Consumer::DictKey { pair } => of_table(unit, pair).map_or(StringRole::Unknown, |name| {
            uses::table(unit, name, Part::Keys)
        }),
        Consumer::DictValue { pair } => of_table(unit, pair).map_or(StringRole::Unknown, |name| {
            uses::table(unit, name, Part::Values)
        }),
        Consumer::Item { of } => uses::table(unit, of, Part::Keys),
        _ => StringRole::Unknown,
    }
}

pub(super) fn name_or_uses(unit: &ModuleView<'_>, name: NodeId) -> StringRole {
    match by_name(unit, &unit.module.last_name(name)) {
        StringRole::Unknown => uses::target(unit, name),
        found => found,
    }
}

/// The table whose keys a string is one of, or is looked up in.
pub fn keyed_table(unit: &ModuleView<'_>, of: &Use) -> Option<NodeId> {
    match of.consumer {
        Consumer::DictKey { pair } => of_table(unit, pair),
        Consumer::Item { of } => Some(of),
        _ => None,
    }
}

/// The name of the table that an entry stands in.
fn of_table(unit: &ModuleView<'_>, pair: NodeId) -> Option<NodeId> {
    let dictionary = unit.module.tree.parent(pair)?;
    let of = unit.module.use_of(dictionary);
    match of.consumer {
        Consumer::Target { target } if of.steps.is_empty() => Some(target),
        _ => None,
    }
}

/// What the parameter holds that takes an argument, by the functions of the tree's that are called.
fn taken(unit: &ModuleView<'_>, call: NodeId, place: Result<usize, &str>) -> StringRole {
    let tree = &unit.module.tree;
    // `partial(f, "cuda")`
    let words = &unit.python_values().words_of_calls;
    let (called, place) = if has(&words.partial, unit.module.callee_word(call)) {
        let first = tree.argument(call, 0);
        match (first, place) {
            (Some(first), Ok(at)) if at > 0 => (callee::functions(unit, first), Ok(at - 1)),
            (Some(first), Err(name)) => (callee::functions(unit, first), Err(name)),
            _ => return StringRole::Unknown,
        }
    } else {
        (callee::callees(unit, call), place)
    };
    let mut found: Option<StringRole> = None;
    for one in called {
        let Some(parameter) = unit.modules.parameter(one, place) else {
            return StringRole::Unknown;
        };
        let reading = uses::parameter(unit, one, parameter.name);
        match found {
            None => found = Some(reading),
            Some(before) if before == reading => {}
            Some(_) => return StringRole::Unknown,
        }
    }
    found.unwrap_or(StringRole::Unknown)
}

/// What a string is by where it stands.
fn by_position(unit: &ModuleView<'_>, of: &Use) -> StringRole {
    if let Some(found) = options::string_role(unit, of) {
        return found;
    }
    let named = |node| by_name(unit, &unit.module.last_name(node));
    match of.consumer {
        Consumer::Docstring | Consumer::Statement | Consumer::Message => StringRole::Text,
        Consumer::Path => StringRole::Known(ValueKind::Other),
        Consumer::Keyword { call, name } => keyword(unit, call, name),
        Consumer::Argument { call, position } => argument(unit, of, call, position),
        Consumer::Default { name, .. } => named(name),
        Consumer::Target { target } | Consumer::Loop { target } => named(target),
        Consumer::Return { function } => function
            .and_then(|one| unit.module.tree.child(one, Field::Name))
            .map_or(StringRole::Unknown, |name| returned(unit, name)),
        Consumer::Comparison { other, .. } => expression(unit, other),
        Consumer::Pattern { subject, .. } => expression(unit, subject),
        Consumer::DictKey { pair } => of_dictionary(unit, pair),
        Consumer::DictValue { pair } => match unit.module.tree.child(pair, Field::Key).map(named) {
            Some(StringRole::Unknown) | None => of_dictionary(unit, pair),
            Some(found) => found,
        },
        _ => StringRole::Unknown,
    }
}

/// What the entries of a dictionary are: those of a `map_location` are devices.
fn of_dictionary(unit: &ModuleView<'_>, pair: NodeId) -> StringRole {
    let Some(dictionary) = unit.module.tree.parent(pair) else {
        return StringRole::Unknown;
    };
    match by_position(unit, &unit.module.use_of(dictionary)) {
        StringRole::Known(kind) => StringRole::Known(kind),
        _ => StringRole::Unknown,
    }
}

/// What a name holds.
pub fn by_name(unit: &ModuleView<'_>, name: &[u8]) -> StringRole {
    let python_values = unit.python_values();
    for kind in [ValueKind::Device, ValueKind::Backend, ValueKind::Other] {
        if python_values.holds(name, kind) {
            return StringRole::Known(kind);
        }
    }
    StringRole::Unknown
}

/// `get_device`, `default_device`, `_device_type`.
fn returned(unit: &ModuleView<'_>, name: NodeId) -> StringRole {
    let name = unit.module.last_name(name);
    match name.strip_prefix(b"get_") {
        Some(rest) => by_name(unit, rest),
        None => by_name(unit, &name),
    }
}

/// What an expression is that the string is compared with.
pub fn expression(unit: &ModuleView<'_>, node: NodeId) -> StringRole {
    let module = unit.module;
    let tree = &module.tree;
    match tree.kind(node) {
        Kind::Identifier => of_variable(unit, node),
        Kind::Attribute => {
            let name = module.last_name(node);
            // `x.device.type`
            if name == b"type" || name == b"index" {
                let object = tree.child(node, Field::Object);
                return object.map_or(StringRole::Unknown, |object| expression(unit, object));
            }
            name_or_uses(unit, node)
        }
        Kind::Subscript => match by_name(unit, &module.last_name(node)) {
            // `device.split(":")[0]`
            StringRole::Unknown => tree
                .child(node, Field::Value)
                .map_or(StringRole::Unknown, |of| expression(unit, of)),
            found => found,
        },
        Kind::Parenthesized => tree
            .nth(node, 0)
            .map_or(StringRole::Unknown, |inner| expression(unit, inner)),
        Kind::Conditional => [0, 2]
            .into_iter()
            .filter_map(|at| tree.nth(node, at))
            .map(|side| expression(unit, side))
            .find(|side| *side != StringRole::Unknown)
            .unwrap_or(StringRole::Unknown),
        Kind::Call => result(unit, node),
        _ => StringRole::Unknown,
    }
}

fn of_variable(unit: &ModuleView<'_>, node: NodeId) -> StringRole {
    let name = unit.module.tree.word(node);
    let found = by_name(unit, name);
    if found != StringRole::Unknown {
        return found;
    }
    uses::origin(unit, node)
}

/// What a call gives.
fn result(unit: &ModuleView<'_>, call: NodeId) -> StringRole {
    let module = unit.module;
    let tree = &module.tree;
    if let Some(kind) = module
        .callee(call)
        .and_then(|callee| unit.python_values().result(&callee.name))
    {
        return StringRole::Known(kind);
    }
    let Some(callee) = tree.child(call, Field::Function) else {
        return StringRole::Unknown;
    };
    let words = &unit.python_values().words_of_calls;
    let first = || tree.argument(call, 0);
    if tree.kind(callee) == Kind::Identifier {
        if module.is_builtin(callee, "str") || module.is_builtin(callee, "repr") {
            return first().map_or(StringRole::Unknown, |inner| expression(unit, inner));
        }
        // `getattr(options, "device", None)`
        if has(&words.attributes, module.callee_word(call)) {
            return attribute(unit, call);
        }
        return returned(unit, callee);
    }
    let Some(object) = tree.child(callee, Field::Object) else {
        return StringRole::Unknown;
    };
    let word = module.callee_word(call);
    if has(&words.parts, word) {
        expression(unit, object)
    } else if has(&words.keyed, word) {
        first()
            .and_then(|key| Literal::read(tree, key))
            .map_or(StringRole::Unknown, |key| by_name(unit, key.value()))
    } else {
        returned(unit, callee)
    }
}

/// What the attribute is that is asked for by its name in a text.
fn attribute(unit: &ModuleView<'_>, call: NodeId) -> StringRole {
    let tree = &unit.module.tree;
    let name = first_text(unit, call, 1);
    match name.as_deref() {
        Some("type") => tree
            .argument(call, 0)
            .map_or(StringRole::Unknown, |object| expression(unit, object)),
        Some(name) => by_name(unit, name.as_bytes()),
        None => StringRole::Unknown,
    }
}
