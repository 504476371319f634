//! A device that is compared with a name whose own values are those of several platforms: what the name can
//! be stays, so what it is compared with does, too.

use super::ModuleView;
use super::alternatives::Alternatives;
use super::inference::callee::{callees, node_of};
use super::inference::options::annotated;
use super::inference::{StringRole, names_device, only_value, string_role};
use super::vendors::{alternatives_to, among};
use crate::mapping::ValueKind;
use crate::project::python::Definition;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, ScopeKind, Use, What};

/// How many declarations of a name are looked at, and how many nodes of each.
const REACH: usize = 32;
const NODES: usize = 64;

/// Who stands beside CUDA where the name is declared, or set, that a value is compared with.
pub fn alternatives_at_declaration(unit: &ModuleView<'_>, of: &Use) -> Alternatives {
    let other = match of.consumer {
        // `SETTINGS["cuda"]`, where the table has the key beside "xpu".
        Consumer::Item { of } => return keys(unit, of),
        Consumer::Comparison { other, .. } => other,
        Consumer::Pattern { subject, .. } => subject,
        _ => return Alternatives::None,
    };
    let tree = &unit.module.tree;
    // `device` in `device.type`
    let mut name = other;
    while tree.kind(name) == Kind::Attribute && unit.module.last_name(name) == b"type" {
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
    let found = bound(unit, name);
    if found == Alternatives::None
        && let Some((other, name)) = imported(unit, name)
    {
        return bound(&other, name);
    }
    found
}

/// Who stands beside CUDA in what a name is bound to in its module.
fn bound(unit: &ModuleView<'_>, name: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let bindings = unit.module.bindings(name, tree.word(name)).1;
    let mut found = Alternatives::None;
    for binding in bindings.iter().take(REACH) {
        match binding.what {
            What::Value(value) => {
                // `KIND = get_kind()`
                if tree.kind(value) == Kind::Call {
                    found = found.or(returned_by_callee(unit, value));
                }
                for node in std::iter::once(value).chain(tree.below(value).take(NODES)) {
                    found = found.or(of_text(unit, node));
                }
            }
            What::Parameter => {
                let typed = tree.parent(binding.at);
                let annotation = typed.and_then(|typed| tree.child(typed, Field::Type));
                let below = annotation.into_iter().flat_map(|one| tree.below(one));
                let text = below
                    .take(NODES)
                    .find(|&one| Literal::read(tree, one).is_some());
                if let Some((_, values)) = text.and_then(|text| annotated(unit, text)) {
                    found = found.or(among(unit, values.into_iter()));
                }
            }
            _ => {}
        }
    }
    found
}

/// The module of the tree's that a name is imported from, and the name there.
fn imported<'u>(unit: &ModuleView<'u>, name: NodeId) -> Option<(ModuleView<'u>, NodeId)> {
    let path = unit.module.resolve(name)?;
    let Definition::Variable(file, own) = unit.modules.lookup(unit.index, &path.name)? else {
        return None;
    };
    let other = unit.other(file)?;
    let tree = &other.module.tree;
    let mut places = unit.trees.places_of(file, own.as_bytes()).iter().copied();
    let set = places.find(|&one| {
        tree.field(one) == Field::Left
            && other.module.kind_of_scope(other.module.scope_of(one)) == ScopeKind::Module
    })?;
    Some((other, set))
}

/// Who stands beside CUDA among the keys of a table.
fn keys(unit: &ModuleView<'_>, table: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    if tree.kind(table) != Kind::Identifier {
        return Alternatives::None;
    }
    match imported(unit, table) {
        Some((other, name)) => keys_of(&other, name),
        None => keys_of(unit, table),
    }
}

fn keys_of(unit: &ModuleView<'_>, table: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let Some(value) = only_value(unit, table) else {
        return Alternatives::None;
    };
    let pairs = tree.children(value).take(NODES);
    let keys = pairs.filter_map(|pair| tree.child(pair, Field::Key));
    let keys: Vec<Literal> = keys.filter_map(|key| Literal::read(tree, key)).collect();
    if keys.iter().any(|key| is_cudas(unit, key)) {
        among(unit, keys.into_iter())
    } else {
        Alternatives::None
    }
}

/// Who stands beside CUDA in what the one function of the tree's gives that a call calls.
fn returned_by_callee(unit: &ModuleView<'_>, call: NodeId) -> Alternatives {
    let called = callees(unit, call);
    let [one] = called.as_slice() else {
        return Alternatives::None;
    };
    let (Some(head), Some(other)) = (unit.modules.function(*one), unit.other(one.file)) else {
        return Alternatives::None;
    };
    let function = node_of(&other, head.name, head.at);
    let given = other.module.sibling_literals(&Use {
        consumer: Consumer::Return { function },
        steps: Vec::new(),
    });
    if given.iter().any(|literal| is_cudas(unit, literal)) {
        among(&other, given.into_iter())
    } else {
        Alternatives::None
    }
}

/// What the methods of the tree's give that may be called: `accelerator.device_name()`, where each class of
/// several has its own.
fn returned_by_methods(unit: &ModuleView<'_>, call: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    // `torch.device(…)` is no method of the tree's.
    let of_object = tree.child(call, Field::Function).is_some_and(|callee| {
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
        let given = other.module.sibling_literals(&of);
        let gives_cuda = given.iter().any(|literal| is_cudas(unit, literal));
        let others = among(&other, given.into_iter());
        cudas_alone |= gives_cuda && others == Alternatives::None;
        others_alone |= !gives_cuda && others != Alternatives::None;
        found = found.or(others);
    }
    // One class's method picks among platforms, another's gives CUDA's device, which becomes MUSA's: what the first
    // one keeps is never given on MUSA.
    if cudas_alone && !others_alone {
        return Alternatives::None;
    }
    found
}

/// Who stands beside a text that is CUDA's device.
fn of_text(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let literal = Literal::read(&unit.module.tree, node);
    if !literal.is_some_and(|literal| is_cudas(unit, &literal)) {
        return Alternatives::None;
    }
    let of = unit.module.use_of(node);
    match string_role(unit, &of) {
        StringRole::Known(ValueKind::Device) => alternatives_to(unit, &of),
        _ => Alternatives::None,
    }
}

/// Whether a text is CUDA's device.
fn is_cudas(unit: &ModuleView<'_>, literal: &Literal) -> bool {
    let mut devices = unit.context.knowledge.devices.iter();
    devices.any(|one| names_device(literal, &one.cuda))
}
