//! The role of a string, by the places that its value flows to: names, attributes, dictionaries, parameters and
//! returns.

use super::by_position::by_position;
use super::enums::{is_member_of_device_enum, parameter_of_member};
use super::expressions::expression;
use super::parameters::{of_parameter, of_parameter_of_call};
use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::role::device_texts::names_numbered_device;
use crate::python::inference::role::names::by_key_path;
use crate::python::inference::role::questions::{picks_attribute, picks_returned, picks_value};
use crate::python::inference::role::{RoleEvidence, RoleTerm, StringRole};
use crate::python::inference::uses::name_uses::{
    calls_of, each_use_of_attribute, in_importers, in_scope,
};
use crate::python::inference::uses::places::places;
use crate::python::inference::values::attributes::{
    has_property, slots_of_attribute, tables_of_objects, variable_of_module,
};
use crate::python::inference::values::steps::{
    attribute_uses, is_property, result_of, unpacked_call,
};
use torchada_mapping::{ValueKind, has};
use torchada_project::python::ArgumentPlace;
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, NodeId, ScopeId, ScopeKind, Use};

/// The role of a string by its use.
pub fn role(view: &ModuleView<'_>, of: &Use) -> RoleTerm {
    by_position(view, of).or_else(|| by_flow(view, of))
}

/// The role of a string by the uses of the slot that it flows to.
pub fn by_flow(view: &ModuleView<'_>, of: &Use) -> RoleTerm {
    let tree = &view.module.tree;
    match of.consumer {
        Consumer::Target { target } => {
            let member = parameter_of_member(view, of);
            let of_member = member.map(|(made, one)| of_parameter(view, made, one.name()));
            of_member.unwrap_or_else(|| of_target(view, target))
        }
        Consumer::Loop { target } => {
            let mut items = of.items();
            match (tree.kind(target), items.next(), items.next()) {
                (Kind::Identifier, _, None) => of_target(view, target),
                // `for name, where in [("a", "cuda"), …]`
                (_, Some(item), Some(_)) => tree
                    .nth(target, tree.ordinal(item))
                    .map_or_else(RoleTerm::unknown, |one| of_named_target(view, one)),
                _ => RoleTerm::unknown(),
            }
        }
        Consumer::Default { name, .. } => of_variable(view, name),
        Consumer::Return {
            function: Some(function),
        } => of_return(view, function),
        Consumer::Keyword { call, name } => of_parameter_of_call(
            view,
            call,
            ArgumentPlace::Keyword(&String::from_utf8_lossy(tree.word(name))),
        ),
        Consumer::Argument {
            call,
            position: Some(position),
        } => of_parameter_of_call(view, call, ArgumentPlace::Position(position)),
        Consumer::DictKey { pair } => dictionary_name(view, pair)
            .map_or_else(RoleTerm::unknown, |name| {
                of_dictionary(view, name, SlotKind::Keys)
            }),
        Consumer::DictValue { pair } => dictionary_name(view, pair)
            .map_or_else(RoleTerm::unknown, |name| {
                of_dictionary(view, name, SlotKind::Values)
            }),
        Consumer::Item { of } => of_dictionary(view, of, SlotKind::Keys),
        _ => RoleTerm::unknown(),
    }
}

/// What an assignment's target holds, by its name, else by its uses.
pub fn of_named_target(view: &ModuleView<'_>, target: NodeId) -> RoleTerm {
    RoleTerm::from(by_key_path(view, &view.module.last_name(target)))
        .or_else(|| of_target(view, target))
}

/// What an assignment's target holds whose name does not show it.
pub fn of_target(view: &ModuleView<'_>, target: NodeId) -> RoleTerm {
    let tree = &view.module.tree;
    match tree.kind(target) {
        Kind::Identifier if is_member_of_device_enum(view, target) => {
            StringRole::Known(ValueKind::Device).into()
        }
        Kind::Identifier => of_variable(view, target),
        Kind::Attribute => {
            let object = tree.child(target, Field::Object);
            let own = object.is_some_and(|object| tree.is_self(object));
            let name = tree.child(target, Field::Attribute).filter(|_| own);
            name.map_or_else(
                || of_property(view, target),
                |name| {
                    Term::Of(Slot::new(
                        view.index,
                        ScopeId::MODULE,
                        tree.word(name),
                        SlotKind::Attribute,
                    ))
                },
            )
        }
        _ => RoleTerm::unknown(),
    }
}

/// What an attribute holds that is a method of a known class's.
fn of_property(view: &ModuleView<'_>, attribute: NodeId) -> RoleTerm {
    let slots = slots_of_attribute(view, attribute).into_iter();
    let mut slots = slots.filter(|slot| has_property(view, slot.file, &slot.name));
    let first = slots.next();
    first.map_or_else(RoleTerm::unknown, Term::Of)
}

/// What a variable holds by the expressions that are assigned to it, else by its uses: `d = x.device.type`.
pub fn of_assigned_variable(view: &ModuleView<'_>, name: NodeId) -> RoleTerm {
    of_bound(view, name, SlotKind::Assigned)
}

/// What a variable holds by its uses, as a node that is its name sees it.
fn of_variable(view: &ModuleView<'_>, name: NodeId) -> RoleTerm {
    if is_never_followed(view.module.tree.word(name)) {
        return RoleTerm::unknown();
    }
    of_bound(view, name, SlotKind::Variable)
}

/// What a variable holds that something binds.
fn of_bound(view: &ModuleView<'_>, name: NodeId, kind: SlotKind) -> RoleTerm {
    let word = view.module.tree.word(name);
    let (scope, bindings) = view.module.bindings(name, word);
    if bindings.is_empty() {
        return RoleTerm::unknown();
    }
    Term::Of(Slot::new(view.index, scope, word, kind))
}

/// Whether a name is one that stands for too many things.
fn is_never_followed(word: &[u8]) -> bool {
    matches!(word, b"_" | b"self" | b"cls")
}

/// What a function returns whose name does not show it, by what is done with it where it is called.
fn of_return(view: &ModuleView<'_>, function: NodeId) -> RoleTerm {
    let name = view.module.tree.child(function, Field::Name);
    name.map_or_else(RoleTerm::unknown, |name| {
        Term::Of(result_of(view, function, name))
    })
}

/// What the keys or the values of a dictionary are, by how it is used.
pub fn of_dictionary(view: &ModuleView<'_>, name: NodeId, kind: SlotKind) -> RoleTerm {
    let tree = &view.module.tree;
    if kind == SlotKind::Keys {
        let slots = tables_of_objects(view, name).into_iter();
        let terms: Vec<RoleTerm> = slots.map(Term::Of).collect();
        if !terms.is_empty() {
            // One dictionary of a class has uses in several files; an attribute may be any of several dictionaries.
            return match tree.kind(name) {
                Kind::Identifier => Term::Join(terms),
                _ => Term::agree(terms),
            };
        }
    }
    if tree.kind(name) != Kind::Identifier {
        return RoleTerm::unknown();
    }
    let word = tree.word(name);
    let (scope, bindings) = view.module.bindings(name, word);
    match bindings {
        [] => RoleTerm::unknown(),
        [only] if matches!(only.what, BoundValue::Import(_)) => {
            let slot = variable_of_module(view, name, kind);
            slot.map_or_else(RoleTerm::unknown, Term::Of)
        }
        _ => Term::Of(Slot::new(view.index, scope, word, kind)),
    }
}

/// The name of the dictionary that an entry stands in.
pub fn dictionary_name(view: &ModuleView<'_>, pair: NodeId) -> Option<NodeId> {
    let dictionary = view.module.tree.parent(pair)?;
    let of = view.module.use_of(dictionary);
    match of.consumer {
        Consumer::Target { target } if of.steps.is_empty() => Some(target),
        _ => None,
    }
}

/// The equation of a slot of the file.
pub fn equation(view: &ModuleView<'_>, slot: &Slot) -> RoleTerm {
    let name = &*slot.name;
    match slot.kind {
        SlotKind::Variable => uses_of_variable(view, slot.scope, name),
        SlotKind::Assigned => assigned(view, slot.scope, name),
        SlotKind::Attribute => {
            let mut uses = Vec::new();
            let mut add = |other: &ModuleView<'_>, node: NodeId| uses.push(at_use(other, node));
            // A method may be called by any word.
            if has_property(view, view.index, name) {
                attribute_uses(view, slot, &mut add);
            } else {
                each_use_of_attribute(view, name, &mut add);
            }
            let is_picked = picks_attribute(view, name)
                || properties(view, name).any(|one| picks_returned(view, one));
            Term::of_uses(uses).or_device(is_picked)
        }
        SlotKind::Return => {
            let mut uses = Vec::new();
            calls_of(view, slot.scope, name, &mut |other, call| {
                uses.push(at_use(other, call));
            });
            Term::of_uses(uses)
        }
        SlotKind::Keys | SlotKind::Values | SlotKind::KeysOfAttribute => {
            super::dictionaries::uses(view, slot)
        }
    }
}

/// The methods of the file with a name that are read as attributes.
fn properties<'v>(view: &'v ModuleView<'_>, word: &[u8]) -> impl Iterator<Item = NodeId> + 'v {
    let tree = &view.module.tree;
    let names = places(view, word).iter();
    let functions = names.filter_map(|&name| tree.parent_if(name, Kind::Function));
    functions.filter(|&one| is_property(view, one))
}

/// What a variable holds, as its uses show; else as the question shows by which it is set.
fn uses_of_variable(view: &ModuleView<'_>, scope: ScopeId, word: &[u8]) -> RoleTerm {
    let mut uses = Vec::new();
    in_scope(view, scope, word, &mut |node| uses.push(at_use(view, node)));
    let mut add = |other: &ModuleView<'_>, node: NodeId| uses.push(at_use(other, node));
    // What is bound to a class or at the top of a module is used elsewhere, too.
    match view.module.kind_of_scope(scope) {
        ScopeKind::Class => each_use_of_attribute(view, word, &mut add),
        _ => in_importers(view, scope, word, &mut add),
    }
    Term::of_uses(uses).or_device(picks_value(view, scope, word))
}

/// What a variable holds, as the expressions show that are assigned to it; else as its uses show.
fn assigned(view: &ModuleView<'_>, scope: ScopeId, word: &[u8]) -> RoleTerm {
    let tree = &view.module.tree;
    let values = view.module.bindings_in(scope, word).iter();
    let values = values.filter_map(|binding| match binding.what {
        BoundValue::Value(value) => Some(value),
        BoundValue::Unknown => text_split_for(view, binding.at),
        _ => None,
    });
    let is_followed = |&value: &NodeId| {
        matches!(
            tree.kind(value),
            Kind::Attribute
                | Kind::Call
                | Kind::Conditional
                | Kind::Parenthesized
                | Kind::Subscript
        )
    };
    let values: Vec<RoleTerm> = values
        .filter_map(|value| {
            if is_followed(&value) {
                Some(expression(view, value).map(RoleEvidence::summed_up))
            } else {
                names_numbered_device(view, value)
                    .then(|| StringRole::Known(ValueKind::Device).into())
            }
        })
        .collect();
    let assigned = if values.is_empty() {
        RoleTerm::unknown()
    } else {
        Term::Join(values)
    };
    assigned.or_else(|| {
        if is_never_followed(word) {
            RoleTerm::unknown()
        } else {
            Term::Of(Slot::new(view.index, scope, word, SlotKind::Variable))
        }
    })
}

/// The call that takes a text apart, for the name that gets the first part.
fn text_split_for(view: &ModuleView<'_>, name: NodeId) -> Option<NodeId> {
    let parts = &view.python_values().words_of_calls.parts;
    unpacked_call(view, name).filter(|&call| {
        view.module.tree.ordinal(name) == 0 && has(parts, view.module.callee_word(call))
    })
}

/// What one use of a slot shows of it.
pub fn at_use(view: &ModuleView<'_>, node: NodeId) -> RoleTerm {
    let of = view.module.use_of(node);
    match of.consumer {
        // What a device is compared with is one.
        Consumer::Comparison { other, .. } => expression(view, other).only_kinds(),
        // A key is tied to its dictionary.
        Consumer::Item { of } => {
            of_dictionary(view, of, SlotKind::Keys).map_role(|role| match role {
                StringRole::Known(ValueKind::Device) | StringRole::Unknown => role,
                _ => StringRole::Ambiguous,
            })
        }
        // `Place.GPU.value`
        Consumer::Receiver { attribute } if *view.module.last_name(attribute) == *b"value" => {
            at_use(view, attribute)
        }
        // Whatever is a part of a text and no device is a word in a name or a message.
        _ if of.is_part() => role(view, &of).only_device(),
        _ => role(view, &of),
    }
}

impl Slot {
    /// A slot of the scope that binds a name.
    pub fn bound_to(view: &ModuleView<'_>, name: NodeId, kind: SlotKind) -> Self {
        let word = view.module.tree.word(name);
        let scope = view.module.bindings(name, word).0;
        Self::new(view.index, scope, word, kind)
    }
}
