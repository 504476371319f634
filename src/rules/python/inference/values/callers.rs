//! What the slots of a tree are set to: by assignments, defaults, the callers of functions, and `return`.

use super::attributes::slots_of_attribute;
use super::steps::{called, is_property, origins};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::BODY;
use crate::python::inference::uses::callee::{class_body, class_name, node_of};
use crate::python::inference::uses::name_uses::each_use;
use crate::python::inference::uses::places::{files_with, places};
use torchada_mapping::has;
use torchada_project::python::{ArgumentPlace, Callee};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

/// The work on each value: it gets the file that the value is written in, and the expression there.
type Visitor<'e> = &'e mut dyn FnMut(&ModuleView<'_>, NodeId);

/// What is called, and the parameter of it whose values are wanted.
type Wanted<'p> = (Callee, &'p [u8]);

/// The slots that the values of a slot of the file come from.
pub fn sources(view: &ModuleView<'_>, slot: &Slot) -> Vec<Slot> {
    let mut found = Vec::new();
    each_value(view, slot, &mut |other, value| {
        found.extend(origins(other, value));
    });
    found
}

/// Each expression that a slot of the file gets its value from.
pub fn each_value(view: &ModuleView<'_>, slot: &Slot, each: Visitor<'_>) {
    match slot.kind {
        SlotKind::Attribute => of_attribute(view, slot, each),
        SlotKind::Return => of_return(view, slot, each),
        _ => of_variable(view, slot, each),
    }
}

fn of_variable(view: &ModuleView<'_>, slot: &Slot, each: Visitor<'_>) {
    let tree = &view.module.tree;
    for binding in view.module.bindings_in(slot.scope, &slot.name) {
        match binding.what {
            BoundValue::Value(value) => each(view, value),
            BoundValue::Parameter => {
                let default = tree.parent(binding.at);
                if let Some(default) = default.and_then(|one| tree.child(one, Field::Value)) {
                    each(view, default);
                }
                let function = tree.function_around(binding.at);
                if let Some(function) = function {
                    from_callers(view, function, &slot.name, each);
                }
            }
            _ => {}
        }
    }
}

fn of_attribute(view: &ModuleView<'_>, slot: &Slot, each: Visitor<'_>) {
    let tree = &view.module.tree;
    for &place in places(view, &slot.name) {
        let up = tree.parent(place);
        let target = match up {
            Some(up) if tree.kind(up) == Kind::Attribute => up,
            _ => place,
        };
        let value = tree.assigned_value(target);
        let is_it = || {
            if tree.kind(target) == Kind::Attribute {
                slots_of_attribute(view, target).contains(slot)
            } else {
                class_body(view, target).is_some()
            }
        };
        if let Some(value) = value.filter(|_| is_it()) {
            each(view, value);
        }
        let property = up.filter(|&up| tree.kind(up) == Kind::Function);
        if let Some(property) = property.filter(|&one| is_property(view, one)) {
            returned(view, property, each);
        }
    }
    // A class that is made by its fields gets them where it is called.
    let outline = view.modules.outline(view.index);
    let classes = outline
        .into_iter()
        .flat_map(|outline| outline.classes.iter().enumerate());
    let with_field = classes.filter(|(_, class)| has(&class.fields, &*slot.name));
    for (at, class) in with_field {
        let made = view.modules.constructor(view.index, at);
        let node = node_of(view, class.name, class.at);
        let name = node.and_then(|node| class_name(view, node));
        if let (Some(made), Some(name)) = (made.filter(|made| made.fields), name) {
            each_use(view, name, &mut |other, node| {
                argument_of_call(other, node, (made, &slot.name), each);
            });
        }
    }
}

fn of_return(view: &ModuleView<'_>, slot: &Slot, each: Visitor<'_>) {
    for binding in view.module.bindings_in(slot.scope, &slot.name) {
        if let BoundValue::Function(function) = binding.what {
            returned(view, function, each);
        }
    }
}

/// What stands in the body of a function or of a class of the file.
fn in_body<'v>(view: &'v ModuleView<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + 'v {
    let tree = &view.module.tree;
    let body = tree.child(node, Field::Body).into_iter();
    body.flat_map(|body| tree.below(body).take(BODY))
}

/// Each expression that a function of the file returns.
fn returned(view: &ModuleView<'_>, function: NodeId, each: Visitor<'_>) {
    let tree = &view.module.tree;
    let values = in_body(view, function)
        .filter(|&one| tree.kind(one) == Kind::Return)
        .filter_map(|one| tree.nth(one, 0));
    for value in values {
        each(view, value);
    }
}

/// Each expression that the callers of a function of the file give for a parameter.
fn from_callers(view: &ModuleView<'_>, function: NodeId, parameter: &[u8], each: Visitor<'_>) {
    let tree = &view.module.tree;
    let Some(name) = tree.child(function, Field::Name) else {
        return;
    };
    let word = tree.word(name);
    let outline = view.modules.outline(view.index);
    let at = outline.and_then(|outline| outline.function_place(tree.range(name).start));
    let Some((outline, at)) = outline.zip(at) else {
        return;
    };
    let class = outline.functions.get(at).and_then(|head| head.class);
    let bound = usize::from(class.is_some());
    let callee = Callee {
        file: view.index,
        at,
        bound_parameters: bound,
        fields: false,
    };
    let wanted = (callee, parameter);
    match class {
        None => each_use(view, name, &mut |other, node| {
            argument_of_call(other, node, wanted, each);
            arguments_by_attribute(other, node, wanted, each);
        }),
        Some(_) if word == b"__init__" => {
            let class = tree
                .class_around(function)
                .and_then(|class| class_name(view, class));
            if let Some(class) = class {
                each_use(view, class, &mut |other, node| {
                    argument_of_call(other, node, wanted, each);
                    arguments_of_super(other, node, wanted, each);
                });
            }
        }
        Some(_) => {
            each_attribute(view, word, &mut |other, method| {
                let call = other.module.tree.parent(method);
                let call = call.filter(|&one| other.module.tree.kind(one) == Kind::Call);
                let called = call.map_or_else(Vec::new, |call| called(other, call));
                let mut called = called.into_iter();
                let meant = called.find(|one| one.file == callee.file && one.at == callee.at);
                if let Some(meant) = meant {
                    argument_of_call(other, method, (meant, parameter), each);
                }
            });
        }
    }
}

/// The argument that a call of a name gives for a parameter: where no other one does, a dictionary that the call unpacks.
fn argument_of_call(view: &ModuleView<'_>, name: NodeId, wanted: Wanted<'_>, each: Visitor<'_>) {
    let (callee, parameter) = wanted;
    let tree = &view.module.tree;
    let Some(call) = tree.call_of(name) else {
        return;
    };
    let is_unpacked = |one: &NodeId| tree.kind(*one) == Kind::DictionarySplat;
    let mut is_given = false;
    for argument in tree.arguments(call).filter(|one| !is_unpacked(one)) {
        let keyword = (tree.kind(argument) == Kind::KeywordArgument)
            .then(|| tree.child(argument, Field::Name))
            .flatten()
            .map(|name| tree.shown(name));
        let place = keyword.as_deref().map_or(
            ArgumentPlace::Position(tree.ordinal(argument)),
            ArgumentPlace::Keyword,
        );
        let taken = view.modules.parameter(callee, place);
        if taken.is_some_and(|one| one.name().as_bytes() == parameter) {
            let value = tree
                .child(argument, Field::Value)
                .filter(|_| keyword.is_some());
            each(view, value.unwrap_or(argument));
            is_given = true;
        }
    }
    if !is_given {
        for unpacked in tree.arguments(call).filter(is_unpacked) {
            each(view, unpacked);
        }
    }
}

/// What `super().__init__(…)` gives in a class that is made from the one that a name names.
fn arguments_of_super(view: &ModuleView<'_>, name: NodeId, wanted: Wanted<'_>, each: Visitor<'_>) {
    let tree = &view.module.tree;
    let list = tree.parent(name);
    let class = list
        .filter(|&list| tree.field(list) == Field::Superclasses)
        .and_then(|list| tree.parent(list));
    let inside = class.into_iter().flat_map(|class| in_body(view, class));
    let is_super = |&one: &NodeId| {
        tree.kind(one) == Kind::Attribute
            && *view.module.last_name(one) == *b"__init__"
            && tree.child(one, Field::Object).is_some_and(|object| {
                tree.kind(object) == Kind::Call && view.module.callee_word(object) == b"super"
            })
    };
    for one in inside.filter(is_super) {
        argument_of_call(view, one, wanted, each);
    }
}

/// The arguments of calls through an attribute that a function is assigned to: `config.check = check`, and
/// `config.check(device_type)` elsewhere.
fn arguments_by_attribute(
    view: &ModuleView<'_>,
    name: NodeId,
    wanted: Wanted<'_>,
    each: Visitor<'_>,
) {
    let tree = &view.module.tree;
    let target = tree
        .assigned_target(name)
        .filter(|&target| tree.kind(target) == Kind::Attribute);
    let Some(word) = target.map(|target| view.module.last_name(target)) else {
        return;
    };
    each_attribute(view, &word, &mut |other, attribute| {
        argument_of_call(other, attribute, wanted, each);
    });
}

/// Each attribute of this name in the tree: `x.word`. It stands in many modules, and none of their trees is needed for the
/// next one.
fn each_attribute(view: &ModuleView<'_>, word: &[u8], each: Visitor<'_>) {
    for file in files_with(view, word) {
        view.question_of(file, |other| {
            let tree = &other.module.tree;
            for &node in places(other, word) {
                if let Some(attribute) = tree.attribute_of(node) {
                    each(other, attribute);
                }
            }
        });
    }
}
