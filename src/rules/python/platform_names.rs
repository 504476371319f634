//! Whether a value goes to what is held against CUDA's name and against that of a platform which `PyTorch` has no
//! device of. It is the project's own name for a platform then, and stays with what it is held against.

use super::ModuleView;
use super::devices::names_device;
use super::inference::callee::{callees, node_of};
use crate::project::python::Callee;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, What};

/// Through how many functions a parameter is followed that hand it on.
const STEPS: usize = 4;
/// How much of a function or a class is looked at.
const BODY: usize = 4096;

/// Whether a value goes to such a name.
pub fn is_project_platform_name(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let is_listed = of.items().next().is_some();
    if of.is_part() || is_listed && !matches!(of.consumer, Consumer::Comparison { .. }) {
        return false;
    }
    match of.consumer {
        Consumer::Argument {
            call,
            position: Some(position),
        } => argument_is_platform_name(unit, call, Ok(position), STEPS),
        Consumer::Keyword { call, name } => {
            let word = String::from_utf8_lossy(tree.word(name)).into_owned();
            argument_is_platform_name(unit, call, Err(&word), STEPS)
        }
        Consumer::Default { name, .. } => tree
            .ancestors(name)
            .find(|&one| tree.kind(one) == Kind::Function)
            .and_then(|function| tree.child(function, Field::Body))
            .is_some_and(|body| is_parameter(unit, body, tree.word(name), STEPS)),
        Consumer::Comparison { other, .. } => is_compared_with_platforms_around(unit, other),
        Consumer::Target { target } => class_body(unit, target)
            .is_some_and(|body| is_compared_with_platforms(unit, body, &own(tree.word(target)))),
        _ => false,
    }
}

/// Whether what a value is held against is held so elsewhere in its function or its class, or is a field that a
/// class of the tree's checks so.
fn is_compared_with_platforms_around(unit: &ModuleView<'_>, other: NodeId) -> bool {
    let tree = &unit.module.tree;
    let around = match tree.kind(other) {
        Kind::Identifier => Kind::Function,
        Kind::Attribute => Kind::Class,
        _ => return false,
    };
    let around = tree.ancestors(other).find(|&one| tree.kind(one) == around);
    let body = around.and_then(|one| tree.child(one, Field::Body));
    let is_own = tree.kind(other) == Kind::Identifier || tree.word(other).starts_with(b"self.");
    is_own && body.is_some_and(|body| is_compared_with_platforms(unit, body, tree.word(other)))
        || is_checked_field(unit, other)
}

/// Whether an expression is, or is bound to, a field that a class checks when it is made: `engine.kind`, where
/// `__post_init__` says `assert self.kind in ["cuda", "rocm"]`.
fn is_checked_field(unit: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &unit.module.tree;
    let field = match tree.kind(expression) {
        Kind::Attribute => expression,
        Kind::Identifier => {
            let bindings = unit.module.bindings(expression, tree.word(expression)).1;
            match bindings {
                [one] => match one.what {
                    What::Value(value) if tree.kind(value) == Kind::Attribute => value,
                    _ => return false,
                },
                _ => return false,
            }
        }
        _ => return false,
    };
    let name = unit.module.last_name(field);
    unit.memo.is_chosen_field(&name, || {
        let known = &unit.python_values().vendors.no_devices;
        let checks = unit.modules.methods("__post_init__").iter();
        // Their trees need not be made where none of the names stands in the text.
        let mut checks = checks.filter(|(file, _)| {
            let has = |word: &[u8]| unit.modules.has(*file, word);
            has(&name) && known.iter().any(|word| has(word.as_bytes()))
        });
        checks.any(|&(file, at)| is_checked_in(unit, file, at, &own(&name)))
    })
}

fn is_checked_in(unit: &ModuleView<'_>, file: usize, at: usize, written: &[u8]) -> bool {
    let head = unit
        .modules
        .outline(file)
        .and_then(|outline| outline.functions.get(at));
    let (Some(head), Some(other)) = (head, unit.other(file)) else {
        return false;
    };
    let function = node_of(&other, head.name, head.at);
    let body = function.and_then(|function| other.module.tree.child(function, Field::Body));
    body.is_some_and(|body| is_compared_with_platforms(&other, body, written))
}

/// The body of the class whose field a name is.
pub fn class_body(unit: &ModuleView<'_>, target: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let body = tree
        .ancestors(target)
        .find(|&one| tree.kind(one) == Kind::Block)?;
    let is_class = tree
        .parent(body)
        .is_some_and(|up| tree.kind(up) == Kind::Class);
    (is_class && tree.kind(target) == Kind::Identifier).then_some(body)
}

fn own(name: &[u8]) -> Vec<u8> {
    [b"self.".as_slice(), name].concat()
}

/// Whether a call gives an argument to such a parameter.
fn argument_is_platform_name(
    unit: &ModuleView<'_>,
    call: NodeId,
    place: Result<usize, &str>,
    steps: usize,
) -> bool {
    let Some(steps) = steps.checked_sub(1) else {
        return false;
    };
    let called = callees(unit, call);
    !called.is_empty()
        && called
            .into_iter()
            .all(|one| takes(unit, one, place, steps).unwrap_or(false))
}

fn takes(
    unit: &ModuleView<'_>,
    callee: Callee,
    place: Result<usize, &str>,
    steps: usize,
) -> Option<bool> {
    let parameter = unit.modules.parameter(callee, place)?.name.as_bytes();
    let other = unit.other(callee.file)?;
    let tree = &other.module.tree;
    let outline = unit.modules.outline(callee.file)?;
    let (name, at) = if callee.fields {
        let class = outline.classes.get(callee.at)?;
        (class.name, class.at)
    } else {
        let head = outline.functions.get(callee.at)?;
        (head.name, head.at)
    };
    let body = tree.child(node_of(&other, name, at)?, Field::Body)?;
    Some(if callee.fields {
        is_compared_with_platforms(&other, body, &own(parameter))
    } else {
        is_parameter(&other, body, parameter, steps)
    })
}

/// Whether a function holds its parameter against such names, or hands it on to one that does.
fn is_parameter(unit: &ModuleView<'_>, body: NodeId, name: &[u8], steps: usize) -> bool {
    if is_compared_with_platforms(unit, body, name) {
        return true;
    }
    let tree = &unit.module.tree;
    let inside = tree.below(body).take(BODY);
    let mut uses = inside.filter(|&one| {
        let is_name = tree.kind(one) == Kind::Identifier && tree.word(one) == name;
        is_name && !matches!(tree.field(one), Field::Name | Field::Attribute)
    });
    uses.any(|one| {
        let of = unit.module.use_of(one);
        match of.consumer {
            _ if !of.steps.is_empty() => false,
            Consumer::Argument {
                call,
                position: Some(position),
            } => argument_is_platform_name(unit, call, Ok(position), steps),
            Consumer::Keyword { call, name } => {
                let word = String::from_utf8_lossy(tree.word(name)).into_owned();
                argument_is_platform_name(unit, call, Err(&word), steps)
            }
            _ => false,
        }
    })
}

/// Whether an expression is held against CUDA's name and against such a platform's.
fn is_compared_with_platforms(unit: &ModuleView<'_>, body: NodeId, written: &[u8]) -> bool {
    let known = &unit.python_values().vendors.no_devices;
    // Most modules name none of them.
    if !known.iter().any(|word| unit.says(word)) {
        return false;
    }
    let texts = super::vendors::held_in(unit, body, written);
    let is_platform = |text: &Literal| known.iter().any(|one| one.as_bytes() == text.value());
    let is_cudas = |text: &Literal| {
        let mut devices = unit.context.knowledge.devices.iter();
        devices.any(|one| names_device(text, &one.cuda))
    };
    texts.iter().any(is_platform) && texts.iter().any(is_cudas)
}
