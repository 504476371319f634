//! A device that is compared with a name whose values are devices of several platforms. These values stay, so the device
//! that the name is compared with stays, too.

use crate::python::ModuleView;
use crate::python::inference::callee::{callees, definition_of, node_of};
use crate::python::inference::{
    StringRole, annotated, imported_variable, is_cudas_device, names_cudas_device, only_value,
    string_role,
};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{among, rivals_among, rivals_of_device};
use torchada_mapping::ValueKind;
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, Literal, NodeId, Use};

/// How many declarations of a name are looked at, and how many nodes of each.
const REACH: usize = 32;
const NODES: usize = 64;

/// The platforms next to CUDA among the values of the name that a value is compared with, at the name's declaration.
pub fn alternatives_at_declaration(unit: &ModuleView<'_>, of: &Use) -> Alternatives {
    // `SETTINGS["cuda"]`, where the table also has the key "xpu".
    if let Consumer::Item { of } = of.consumer {
        return in_keys(unit, of);
    }
    let Some(other) = of.compared_with() else {
        return Alternatives::None;
    };
    let tree = &unit.module.tree;
    // `device` in `device.type`
    let mut name = other;
    while tree.kind(name) == Kind::Attribute && *unit.module.last_name(name) == *b"type" {
        match tree.child(name, Field::Object) {
            Some(object) => name = object,
            None => break,
        }
    }
    if tree.kind(name) == Kind::Call {
        return returned_by_methods(unit, name);
    }
    if tree.kind(name) != Kind::Identifier {
        return Alternatives::None;
    }
    let found = in_bindings(unit, name);
    if found == Alternatives::None
        && let Some((other, name)) = imported(unit, name)
    {
        return in_bindings(&other, name);
    }
    found
}

/// The platforms next to CUDA among the values that a name is bound to in its module.
fn in_bindings(unit: &ModuleView<'_>, name: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let bindings = unit.module.meanings(name);
    let mut found = Alternatives::None;
    for binding in bindings.iter().take(REACH) {
        match binding.what {
            BoundValue::Value(value) => {
                // `KIND = get_kind()`
                if tree.kind(value) == Kind::Call {
                    found = found.or(returned_by_callee(unit, value));
                }
                for node in tree.with_below(value).take(NODES) {
                    found = found.or(next_to_text(unit, node));
                }
            }
            BoundValue::Parameter => {
                let typed = tree.parent(binding.at);
                let annotation = typed.and_then(|typed| tree.child(typed, Field::Type));
                let below = annotation.into_iter().flat_map(|one| tree.below(one));
                let text = below
                    .take(NODES)
                    .find(|&one| Literal::read(tree, one).is_some());
                if let Some((_, values)) = text.and_then(|text| annotated(unit, text)) {
                    found = found.or(rivals_among(unit, values.into_iter()));
                }
            }
            _ => {}
        }
    }
    found
}

/// The module of the tree that a name is imported from, and the place in that module which sets the name.
fn imported<'u>(unit: &ModuleView<'u>, name: NodeId) -> Option<(ModuleView<'u>, NodeId)> {
    let (file, own) = imported_variable(unit, name)?;
    let other = unit.other(file)?;
    let set = other.module.top_place_of(own.as_bytes())?;
    Some((other, set))
}

/// The platforms next to CUDA among the keys of a table, which another module may define.
fn in_keys(unit: &ModuleView<'_>, table: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    if tree.kind(table) != Kind::Identifier {
        return Alternatives::None;
    }
    match imported(unit, table) {
        Some((other, name)) => in_keys_of(&other, name),
        None => in_keys_of(unit, table),
    }
}

/// The platforms next to CUDA among the keys of a table of this module.
fn in_keys_of(unit: &ModuleView<'_>, table: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let Some(value) = only_value(unit, table) else {
        return Alternatives::None;
    };
    let keys = tree.keys(value).take(NODES);
    let keys: Vec<Literal> = keys.filter_map(|key| Literal::read(tree, key)).collect();
    if keys.iter().any(|key| names_cudas_device(unit, key)) {
        rivals_among(unit, keys.into_iter())
    } else {
        Alternatives::None
    }
}

/// The platforms next to CUDA among the results of the function that a call calls, if only one function can be meant.
fn returned_by_callee(unit: &ModuleView<'_>, call: NodeId) -> Alternatives {
    let called = callees(unit, call);
    let [one] = called.as_slice() else {
        return Alternatives::None;
    };
    let Some((other, function)) = definition_of(unit, *one) else {
        return Alternatives::None;
    };
    let returned = other.module.sibling_literals(&Use {
        consumer: Consumer::Return {
            function: Some(function),
        },
        steps: Vec::new(),
    });
    if returned
        .iter()
        .any(|literal| names_cudas_device(unit, literal))
    {
        rivals_among(&other, returned.into_iter())
    } else {
        Alternatives::None
    }
}

/// The platforms next to CUDA among the results of the methods that a call may call: `accelerator.device_name()`, where
/// several classes have a method of this name.
fn returned_by_methods(unit: &ModuleView<'_>, call: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    // `torch.device(…)` is no method of the tree's.
    let of_object = tree.callee(call).is_some_and(|callee| {
        tree.kind(callee) == Kind::Attribute && unit.resolve(callee).is_none()
    });
    let name = String::from_utf8_lossy(unit.module.callee_word(call)).into_owned();
    let methods = unit.modules.methods(&name);
    if !of_object || methods.len() > REACH {
        return Alternatives::None;
    }
    let mut found = Alternatives::None;
    let (mut cudas_alone, mut others_alone) = (false, false);
    for &(file, at) in methods {
        let head = unit
            .modules
            .outline(file)
            .and_then(|outline| outline.functions.get(at));
        let (Some(head), Some(other)) = (head, unit.other(file)) else {
            continue;
        };
        let of = Use {
            consumer: Consumer::Return {
                function: node_of(&other, head.name, head.at),
            },
            steps: Vec::new(),
        };
        let returned = other.module.sibling_literals(&of);
        let returns_cuda = returned
            .iter()
            .any(|literal| names_cudas_device(unit, literal));
        let others = among(&other, returned.into_iter());
        cudas_alone |= returns_cuda && others == Alternatives::None;
        others_alone |= !returns_cuda && others != Alternatives::None;
        found = found.or(others);
    }
    // One class's method picks among platforms, and another's returns CUDA's device, which becomes MUSA's. On MUSA, the
    // program calls the second one only.
    if cudas_alone && !others_alone {
        return Alternatives::None;
    }
    found
}

/// The platforms next to a text that is CUDA's device.
fn next_to_text(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    if !is_cudas_device(unit, node) {
        return Alternatives::None;
    }
    let of = unit.module.use_of(node);
    match string_role(unit, &of) {
        StringRole::Known(ValueKind::Device) => rivals_of_device(unit, &of),
        _ => Alternatives::None,
    }
}
