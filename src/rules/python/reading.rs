//! What a string is, by what takes it.

use super::PythonUnit;
use crate::mapping::ValueKind;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, What};

/// What a string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// A value of a kind.
    Value(ValueKind),
    /// Text for people: a message, a docstring, a statement by itself.
    Prose,
    /// Nobody knows.
    Open,
}

/// What a string is whose use is given.
pub fn reading(unit: &PythonUnit<'_>, of: &Use) -> Reading {
    let named = |node| by_name(unit, &unit.module.last_name(node));
    match of.consumer {
        Consumer::Docstring | Consumer::Statement | Consumer::Message => Reading::Prose,
        Consumer::Keyword { call, name } => keyword(unit, call, name),
        Consumer::Argument { call, position } => argument(unit, of, call, position),
        Consumer::Default { name, .. } => named(name),
        Consumer::Target { target } | Consumer::Loop { target } => named(target),
        Consumer::Return { function } => function
            .and_then(|one| unit.module.tree.child(one, Field::Name))
            .map_or(Reading::Open, |name| returned(unit, name)),
        Consumer::Comparison { other, .. } => expression(unit, other),
        Consumer::Pattern { subject, .. } => expression(unit, subject),
        Consumer::DictValue { pair } => unit
            .module
            .tree
            .child(pair, Field::Key)
            .map_or(Reading::Open, named),
        _ => Reading::Open,
    }
}

/// What a name holds.
pub fn by_name(unit: &PythonUnit<'_>, name: &[u8]) -> Reading {
    let positions = unit.positions();
    for kind in [ValueKind::Device, ValueKind::Backend, ValueKind::Other] {
        if positions.holds(name, kind) {
            return Reading::Value(kind);
        }
    }
    Reading::Open
}

/// `get_device`, `default_device`, `_device_type`.
fn returned(unit: &PythonUnit<'_>, name: NodeId) -> Reading {
    let name = unit.module.last_name(name);
    match name.strip_prefix(b"get_") {
        Some(rest) => by_name(unit, rest),
        None => by_name(unit, &name),
    }
}

/// What an expression is that the string is compared with.
fn expression(unit: &PythonUnit<'_>, node: NodeId) -> Reading {
    let module = unit.module;
    let tree = &module.tree;
    match tree.kind(node) {
        Kind::Identifier => of_variable(unit, node),
        Kind::Attribute => {
            let name = module.last_name(node);
            // `x.device.type`
            if name == b"type" || name == b"index" {
                let object = tree.child(node, Field::Object);
                return object.map_or(Reading::Open, |object| expression(unit, object));
            }
            by_name(unit, &name)
        }
        Kind::Subscript => match by_name(unit, &module.last_name(node)) {
            // `device.split(":")[0]`
            Reading::Open => tree
                .child(node, Field::Value)
                .map_or(Reading::Open, |of| expression(unit, of)),
            found => found,
        },
        Kind::Parenthesized => tree
            .nth(node, 0)
            .map_or(Reading::Open, |inner| expression(unit, inner)),
        Kind::Call => result(unit, node),
        _ => Reading::Open,
    }
}

fn of_variable(unit: &PythonUnit<'_>, node: NodeId) -> Reading {
    let name = unit.module.tree.word(node);
    let found = by_name(unit, name);
    if found != Reading::Open {
        return found;
    }
    // `d = x.device.type`: its one value tells.
    let (_, bindings) = unit.module.bindings(node, name);
    match bindings {
        [one] => match one.what {
            What::Value(value) if unit.module.tree.kind(value) == Kind::Attribute => {
                expression(unit, value)
            }
            _ => Reading::Open,
        },
        _ => Reading::Open,
    }
}

/// What a call gives.
fn result(unit: &PythonUnit<'_>, call: NodeId) -> Reading {
    let module = unit.module;
    let tree = &module.tree;
    if let Some(kind) = module
        .callee(call)
        .and_then(|callee| unit.positions().result(&callee.name))
    {
        return Reading::Value(kind);
    }
    let Some(callee) = tree.child(call, Field::Function) else {
        return Reading::Open;
    };
    let first = || {
        let arguments = tree.child(call, Field::Arguments)?;
        tree.nth(arguments, 0)
    };
    if tree.kind(callee) == Kind::Identifier {
        if module.is_builtin(callee, "str") || module.is_builtin(callee, "repr") {
            return first().map_or(Reading::Open, |inner| expression(unit, inner));
        }
        return returned(unit, callee);
    }
    let Some(object) = tree.child(callee, Field::Object) else {
        return Reading::Open;
    };
    match module.callee_word(call) {
        b"lower" | b"strip" | b"split" | b"partition" => expression(unit, object),
        b"get" | b"pop" | b"getenv" => first()
            .and_then(|key| Literal::read(tree, key))
            .map_or(Reading::Open, |key| by_name(unit, key.value())),
        _ => returned(unit, callee),
    }
}

fn keyword(unit: &PythonUnit<'_>, call: NodeId, name: NodeId) -> Reading {
    let word = unit.module.tree.word(name);
    if matches!(word, b"default" | b"const" | b"choices")
        && let Some(option) = first_text(unit, call, 0)
    {
        return by_name(unit, option.trim_start_matches('-').as_bytes());
    }
    if matches!(
        word,
        b"help" | b"description" | b"msg" | b"reason" | b"match"
    ) {
        return Reading::Prose;
    }
    by_name(unit, word)
}

fn argument(unit: &PythonUnit<'_>, of: &Use, call: NodeId, position: Option<usize>) -> Reading {
    let module = unit.module;
    let Some(position) = position else {
        return Reading::Open;
    };
    let word = String::from_utf8_lossy(module.callee_word(call)).into_owned();
    let positions = unit.positions();
    if let Some(callee) = module.callee(call) {
        if let Some(kind) = positions.argument(&callee.name, position) {
            return Reading::Value(kind);
        }
        // What the functions of the module take as a text is a device.
        let inside = callee.name.strip_prefix(&positions.module.cuda);
        if callee.is_sure() && inside.is_some_and(|rest| rest.starts_with('.')) {
            return Reading::Value(ValueKind::Device);
        }
    }
    let tree = &module.tree;
    let callee = tree.child(call, Field::Function);
    let method = callee.filter(|&one| tree.kind(one) == Kind::Attribute);
    if method.is_some()
        && let Some(kind) = positions.argument(&format!(".{word}"), position)
    {
        return Reading::Value(kind);
    }
    match (word.as_str(), position) {
        // `options.get("device", "cuda")`, `getattr(options, "device", "cuda")`
        ("get" | "pop" | "setdefault" | "getenv", 1) | ("getattr" | "setattr", 2) => {
            first_text(unit, call, position - 1)
                .map_or(Reading::Open, |key| by_name(unit, key.as_bytes()))
        }
        // `devices.append("cuda")`
        ("append" | "add" | "remove" | "index", 0) | ("insert", 1) => method
            .and_then(|one| tree.child(one, Field::Object))
            .map_or(Reading::Open, |object| {
                by_name(unit, &module.last_name(object))
            }),
        ("param", _) => parametrized(unit, &module.use_of(call), Some(position)),
        ("parametrize", 1) => {
            let item = of.items().next().map(|item| tree.ordinal(item));
            parametrized(unit, of, item)
        }
        ("startswith", 0) => method
            .and_then(|one| tree.child(one, Field::Object))
            .map_or(Reading::Open, |object| expression(unit, object)),
        (
            "print" | "warn" | "warning" | "info" | "debug" | "error" | "exception" | "log"
            | "fail" | "skip" | "SkipTest",
            _,
        ) => Reading::Prose,
        _ => parameter(unit, call, position),
    }
}

/// What a value is that a test is run with: `parametrize("n,device", [(1, "cuda"), …])`. `item` is
/// the place of the value in a tuple of several.
fn parametrized(unit: &PythonUnit<'_>, of: &Use, item: Option<usize>) -> Reading {
    let Consumer::Argument {
        call,
        position: Some(1),
    } = of.consumer
    else {
        return Reading::Open;
    };
    if unit.module.callee_word(call) != b"parametrize" {
        return Reading::Open;
    }
    let Some(names) = first_text(unit, call, 0) else {
        return Reading::Open;
    };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let name = match names.as_slice() {
        [one] => Some(one),
        several => item.and_then(|item| several.get(item)),
    };
    name.map_or(Reading::Open, |name| by_name(unit, name.as_bytes()))
}

/// The parameter of a function of the module's own.
fn parameter(unit: &PythonUnit<'_>, call: NodeId, position: usize) -> Reading {
    let module = unit.module;
    let tree = &module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return Reading::Open;
    };
    if tree.kind(callee) != Kind::Identifier {
        return Reading::Open;
    }
    let word = tree.word(callee);
    // Exceptions are raised with messages.
    if word.ends_with(b"Error") || word.ends_with(b"Exception") || word.ends_with(b"Warning") {
        return Reading::Prose;
    }
    let [binding] = module.bindings(callee, word).1 else {
        return Reading::Open;
    };
    let What::Function(function) = binding.what else {
        return Reading::Open;
    };
    let name = tree
        .child(function, Field::Parameters)
        .and_then(|parameters| tree.nth(parameters, position))
        .and_then(|parameter| match tree.kind(parameter) {
            Kind::Identifier => Some(parameter),
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                tree.child(parameter, Field::Name)
            }
            Kind::TypedParameter => tree.nth(parameter, 0),
            _ => None,
        });
    name.map_or(Reading::Open, |name| by_name(unit, tree.word(name)))
}

/// The text of an argument that is a plain string.
fn first_text(unit: &PythonUnit<'_>, call: NodeId, position: usize) -> Option<String> {
    let tree = &unit.module.tree;
    let arguments = tree.child(call, Field::Arguments)?;
    let literal = Literal::read(tree, tree.nth(arguments, position)?)?;
    let text = literal.is_plain().then(|| literal.value().to_vec())?;
    String::from_utf8(text).ok()
}
