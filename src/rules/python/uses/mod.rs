//! What a name holds, told by what is done with it: in its module, and where others take it from there.

mod memo;
mod places;
mod tables;
mod votes;

use super::ModuleView;
use super::callee::node_of;
use super::string_role::{StringRole, by_name, expression, string_role};
use crate::mapping::ValueKind;
use crate::project::python::Callee;
use crate::syntax::python::{Consumer, Field, Kind, NodeId, ScopeId, ScopeKind, What};
pub use memo::Memo;
use memo::Name;
pub use places::each_use;
use places::{elsewhere, in_scope, members, places};
pub use tables::{Part, is_closed, table};
use votes::Votes;

/// What a target holds whose own name does not tell.
pub fn target(unit: &ModuleView<'_>, target: NodeId) -> StringRole {
    let tree = &unit.module.tree;
    match tree.kind(target) {
        Kind::Identifier => variable(unit, target),
        Kind::Attribute => {
            let object = tree.child(target, Field::Object);
            let own = object.is_some_and(|object| matches!(tree.word(object), b"self" | b"cls"));
            let name = tree.child(target, Field::Attribute);
            name.filter(|_| own)
                .map_or(StringRole::Unknown, |name| member(unit, tree.word(name)))
        }
        _ => StringRole::Unknown,
    }
}

/// What a variable holds by what it is made of, else by its uses: `d = x.device.type`.
pub fn origin(unit: &ModuleView<'_>, name: NodeId) -> StringRole {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    let key = Name::Origin(unit.index, scope, word.to_vec());
    unit.memo.once(key, || {
        for binding in bindings {
            if let What::Value(value) = binding.what
                && matches!(
                    tree.kind(value),
                    Kind::Attribute | Kind::Call | Kind::Conditional | Kind::Parenthesized
                )
            {
                match expression(unit, value) {
                    StringRole::Unknown => {}
                    found => return found,
                }
            }
        }
        variable(unit, name)
    })
}

/// What a variable holds, as a node that is its name sees it.
pub fn variable(unit: &ModuleView<'_>, name: NodeId) -> StringRole {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() || matches!(word, b"_" | b"self" | b"cls") {
        return StringRole::Unknown;
    }
    held(unit, scope, word)
}

/// What a name of a scope holds by its uses.
fn held(unit: &ModuleView<'_>, scope: ScopeId, word: &[u8]) -> StringRole {
    let key = Name::Variable(unit.index, scope, word.to_vec());
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        in_scope(unit, scope, word, &mut |node| votes.add(used(unit, node)));
        // What is bound to a class or at the top of a module is used elsewhere, too.
        match unit.module.kind_of_scope(scope) {
            ScopeKind::Class => members(unit, word, &mut |other, node| {
                votes.add(used(other, node));
            }),
            ScopeKind::Module => elsewhere(unit, word, &mut |other, node| {
                votes.add(used(other, node));
            }),
            _ => {}
        }
        votes.verdict()
    })
}

/// What a member of the objects of a file's classes holds.
pub fn member(unit: &ModuleView<'_>, word: &[u8]) -> StringRole {
    let key = Name::Member(unit.index, word.to_vec());
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        members(unit, word, &mut |other, node| {
            votes.add(used(other, node));
        });
        votes.verdict()
    })
}

/// What one use says.
fn used(unit: &ModuleView<'_>, node: NodeId) -> StringRole {
    let of = unit.module.use_of(node);
    match of.consumer {
        // What a device is compared with is one. A look-up is tied to its table.
        Consumer::Comparison { other, .. } => match expression(unit, other) {
            StringRole::Known(kind) => StringRole::Known(kind),
            _ => StringRole::Unknown,
        },
        Consumer::Item { of } => match table(unit, of, Part::Keys) {
            StringRole::Known(ValueKind::Device) => StringRole::Known(ValueKind::Device),
            StringRole::Unknown => StringRole::Unknown,
            _ => StringRole::Ambiguous,
        },
        // `Place.GPU.value`
        Consumer::Receiver { attribute } if unit.module.last_name(attribute) == b"value" => {
            used(unit, attribute)
        }
        // Whatever is a part of a text that is no device is a word in a name or a message.
        _ if of.is_part() => match string_role(unit, &of) {
            StringRole::Known(ValueKind::Device) => StringRole::Known(ValueKind::Device),
            _ => StringRole::Unknown,
        },
        _ => string_role(unit, &of),
    }
}

/// What the parameter of a function holds whose name does not tell.
pub fn parameter(unit: &ModuleView<'_>, callee: Callee, name: &str) -> StringRole {
    let told = by_name(unit, name.as_bytes());
    let vague = matches!(
        told,
        StringRole::Unknown | StringRole::Known(ValueKind::Other)
    );
    if !vague || callee.fields {
        return told;
    }
    let (Some(other), Some(head)) = (unit.other(callee.file), unit.modules.function(callee)) else {
        return told;
    };
    let used = node_of(&other, head.name, head.at).map_or(StringRole::Unknown, |function| {
        parameter_of(&other, function, name.as_bytes())
    });
    match told {
        // A name such as `true_backend` is given to implementations and to backends alike.
        StringRole::Known(_) if used != StringRole::Known(ValueKind::Backend) => told,
        _ => used,
    }
}

/// What the parameter of a function of the file holds.
pub fn parameter_of(unit: &ModuleView<'_>, function: NodeId, name: &[u8]) -> StringRole {
    let tree = &unit.module.tree;
    let body = tree.child(function, Field::Body);
    body.map_or(StringRole::Unknown, |body| {
        held(unit, unit.module.scope_of(body), name)
    })
}

/// What a function gives whose name does not tell, by what is done with it where it is called.
pub fn result(unit: &ModuleView<'_>, function: NodeId) -> StringRole {
    let tree = &unit.module.tree;
    let Some(name) = tree.child(function, Field::Name) else {
        return StringRole::Unknown;
    };
    let word = tree.word(name);
    unit.memo.once(Name::Result(unit.index, word.to_vec()), || {
        let mut votes = Votes::default();
        let mut add = |unit: &ModuleView<'_>, node: NodeId| {
            let tree = &unit.module.tree;
            let call = tree.parent(node).filter(|&call| {
                tree.kind(call) == Kind::Call && tree.field(node) == Field::Function
            });
            if let Some(call) = call {
                votes.add(used(unit, call));
            }
        };
        for node in places(unit, word) {
            let named = match tree.parent(node) {
                // `self.where()`
                Some(up) if tree.kind(up) == Kind::Attribute => {
                    (tree.field(node) == Field::Attribute).then_some(up)
                }
                _ => {
                    let mut bindings = unit.module.bindings(node, word).1.iter();
                    let is_it = bindings.any(|one| one.what == What::Function(function));
                    is_it.then_some(node)
                }
            };
            if let Some(named) = named {
                add(unit, named);
            }
        }
        elsewhere(unit, word, &mut add);
        votes.verdict()
    })
}
