//! What the slots of a tree are set to: by assignments, defaults, the callers of functions, and `return`.

use super::attributes::slots_of_attribute;
use super::callee::{class_name, node_of};
use super::limits::BODY;
use super::slot::{Slot, SlotKind};
use super::steps::{called, files_with, origins};
use super::uses::{each_use, places};
use crate::project::python::{ArgumentPlace, Callee};
use crate::rules::python::ModuleView;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// The slots that the values of a slot of the file come from.
pub(super) fn sources(view: &ModuleView<'_>, slot: &Slot) -> Vec<Slot> {
    match slot.kind {
        SlotKind::Attribute => of_attribute(view, slot),
        SlotKind::Return => of_return(view, slot),
        _ => of_variable(view, slot),
    }
}

fn of_variable(view: &ModuleView<'_>, slot: &Slot) -> Vec<Slot> {
    let tree = &view.module.tree;
    let mut found = Vec::new();
    for binding in view.module.bindings_in(slot.scope, &slot.name) {
        match binding.what {
            What::Value(value) => found.extend(origins(view, value)),
            What::Parameter => {
                let function = tree
                    .ancestors(binding.at)
                    .find(|&one| tree.kind(one) == Kind::Function);
                if let Some(function) = function {
                    found.extend(from_callers(view, function, &slot.name));
                }
            }
            _ => {}
        }
    }
    found
}

fn of_attribute(view: &ModuleView<'_>, slot: &Slot) -> Vec<Slot> {
    let tree = &view.module.tree;
    let mut found = Vec::new();
    for &place in places(view, &slot.name) {
        let up = tree.parent(place);
        let target = match up {
            Some(up) if tree.kind(up) == Kind::Attribute => up,
            _ => place,
        };
        let value = tree
            .parent(target)
            .filter(|&up| tree.kind(up) == Kind::Assignment && tree.field(target) == Field::Left)
            .and_then(|assignment| tree.child(assignment, Field::Right));
        let is_it = || {
            tree.kind(target) != Kind::Attribute || slots_of_attribute(view, target).contains(slot)
        };
        if let Some(value) = value.filter(|_| is_it()) {
            found.extend(origins(view, value));
        }
    }
    // A class that is made by its fields gets them where it is called.
    let outline = view.modules.outline(view.index);
    let classes = outline
        .into_iter()
        .flat_map(|outline| outline.classes.iter().enumerate());
    let with_field = classes.filter(|(_, class)| {
        let mut fields = class.fields.iter();
        fields.any(|one| one.as_bytes() == &*slot.name)
    });
    for (at, class) in with_field {
        let made = view.modules.constructor(view.index, at);
        let node = node_of(view, class.name, class.at);
        let name = node.and_then(|node| class_name(view, node));
        if let (Some(made), Some(name)) = (made.filter(|made| made.fields), name) {
            each_use(view, name, &mut |other, node| {
                found.extend(argument_of_call(other, node, made, &slot.name));
            });
        }
    }
    found
}

fn of_return(view: &ModuleView<'_>, slot: &Slot) -> Vec<Slot> {
    let tree = &view.module.tree;
    let mut found = Vec::new();
    for binding in view.module.bindings_in(slot.scope, &slot.name) {
        let What::Function(function) = binding.what else {
            continue;
        };
        let body = tree.child(function, Field::Body);
        let inside = body
            .into_iter()
            .flat_map(|body| tree.below(body).take(BODY));
        let returned = inside
            .filter(|&one| tree.kind(one) == Kind::Return)
            .filter_map(|one| tree.nth(one, 0));
        found.extend(returned.flat_map(|value| origins(view, value)));
    }
    found
}

/// The slots whose values the callers of a function of the file give for a parameter.
fn from_callers(view: &ModuleView<'_>, function: NodeId, parameter: &[u8]) -> Vec<Slot> {
    let tree = &view.module.tree;
    let Some(name) = tree.child(function, Field::Name) else {
        return Vec::new();
    };
    let word = tree.word(name);
    let outline = view.modules.outline(view.index);
    let at = outline.and_then(|outline| outline.function_place(tree.range(name).start));
    let Some((outline, at)) = outline.zip(at) else {
        return Vec::new();
    };
    let class = outline.functions.get(at).and_then(|head| head.class);
    let bound = usize::from(class.is_some());
    let callee = Callee {
        file: view.index,
        at,
        bound_parameters: bound,
        fields: false,
    };
    let mut found = Vec::new();
    match class {
        None => each_use(view, name, &mut |other, node| {
            found.extend(argument_of_call(other, node, callee, parameter));
            found.extend(arguments_by_attribute(other, node, callee, parameter));
        }),
        Some(_) if word == b"__init__" => {
            let class = tree
                .ancestors(function)
                .find(|&one| tree.kind(one) == Kind::Class)
                .and_then(|class| class_name(view, class));
            if let Some(class) = class {
                each_use(view, class, &mut |other, node| {
                    found.extend(argument_of_call(other, node, callee, parameter));
                    found.extend(arguments_of_super(other, node, callee, parameter));
                });
            }
        }
        Some(_) => {
            for file in files_with(view, word) {
                let Some(other) = view.other(file) else {
                    continue;
                };
                for &node in places(&other, word) {
                    let method = other.module.tree.parent(node).filter(|&up| {
                        other.module.tree.kind(up) == Kind::Attribute
                            && other.module.tree.field(node) == Field::Attribute
                    });
                    let calls_it = |method: &NodeId| {
                        let call = other.module.tree.parent(*method);
                        call.is_some_and(|call| {
                            other.module.tree.kind(call) == Kind::Call
                                && called(&other, call)
                                    .iter()
                                    .any(|one| one.file == callee.file && one.at == callee.at)
                        })
                    };
                    if let Some(method) = method.filter(calls_it) {
                        found.extend(argument_of_call(&other, method, callee, parameter));
                    }
                }
            }
        }
    }
    found
}

/// The slots of the argument that a call of a name gives for a parameter.
fn argument_of_call(
    view: &ModuleView<'_>,
    name: NodeId,
    callee: Callee,
    parameter: &[u8],
) -> Vec<Slot> {
    let tree = &view.module.tree;
    let call = tree
        .parent(name)
        .filter(|&up| tree.kind(up) == Kind::Call && tree.field(name) == Field::Function);
    let Some(call) = call else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for argument in tree.arguments(call) {
        let keyword = (tree.kind(argument) == Kind::KeywordArgument)
            .then(|| tree.child(argument, Field::Name))
            .flatten()
            .map(|name| String::from_utf8_lossy(tree.word(name)).into_owned());
        let place = keyword.as_deref().map_or(
            ArgumentPlace::Position(tree.ordinal(argument)),
            ArgumentPlace::Keyword,
        );
        let taken = view.modules.parameter(callee, place);
        if taken.is_some_and(|one| one.name.as_bytes() == parameter) {
            let value = tree
                .child(argument, Field::Value)
                .filter(|_| keyword.is_some());
            found.extend(origins(view, value.unwrap_or(argument)));
        }
    }
    found
}

/// The slots of what `super().__init__(…)` gives in a class that is made from the one that a name names.
fn arguments_of_super(
    view: &ModuleView<'_>,
    name: NodeId,
    callee: Callee,
    parameter: &[u8],
) -> Vec<Slot> {
    let tree = &view.module.tree;
    let list = tree.parent(name);
    let class = list
        .filter(|&list| tree.field(list) == Field::Superclasses)
        .and_then(|list| tree.parent(list));
    let body = class.and_then(|class| tree.child(class, Field::Body));
    let inside = body
        .into_iter()
        .flat_map(|body| tree.below(body).take(BODY));
    let is_super = |&one: &NodeId| {
        tree.kind(one) == Kind::Attribute
            && view.module.last_name(one) == b"__init__"
            && tree.child(one, Field::Object).is_some_and(|object| {
                tree.kind(object) == Kind::Call && view.module.callee_word(object) == b"super"
            })
    };
    inside
        .filter(is_super)
        .flat_map(|one| argument_of_call(view, one, callee, parameter))
        .collect()
}

/// The slots of the arguments of calls through an attribute that a function is assigned to: `config.check = check`, and
/// `config.check(device_type)` elsewhere.
fn arguments_by_attribute(
    view: &ModuleView<'_>,
    name: NodeId,
    callee: Callee,
    parameter: &[u8],
) -> Vec<Slot> {
    let tree = &view.module.tree;
    let target = tree
        .parent(name)
        .filter(|&up| tree.kind(up) == Kind::Assignment && tree.field(name) == Field::Right)
        .and_then(|assignment| tree.child(assignment, Field::Left))
        .filter(|&target| tree.kind(target) == Kind::Attribute);
    let Some(word) = target.map(|target| view.module.last_name(target)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in files_with(view, &word) {
        let Some(other) = view.other(file) else {
            continue;
        };
        for &node in places(&other, &word) {
            let attribute = other.module.tree.parent(node);
            if let Some(attribute) =
                attribute.filter(|_| other.module.tree.field(node) == Field::Attribute)
            {
                found.extend(argument_of_call(&other, attribute, callee, parameter));
            }
        }
    }
    found
}
