//! What the keys and the values of a table are, by how the table is used.

use super::memo::Name;
use super::places::in_scope;
use super::votes::Votes;
use super::{ModuleView, StringRole, expression, used};
use crate::mapping::ValueKind;
use crate::rules::python::options::has;
use crate::syntax::python::{Field, Kind, NodeId};

/// A part of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What it is asked by.
    Keys,
    /// What it gives.
    Values,
}

/// What the keys or the values of a table are, by how it is used.
pub fn table(unit: &ModuleView<'_>, name: NodeId, part: Part) -> StringRole {
    let tree = &unit.module.tree;
    if tree.kind(name) != Kind::Identifier {
        return StringRole::Unknown;
    }
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() {
        return StringRole::Unknown;
    }
    let key = match part {
        Part::Keys => Name::Keys(unit.index, scope, word.to_vec()),
        Part::Values => Name::Values(unit.index, scope, word.to_vec()),
    };
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        let mut open = false;
        in_scope(unit, scope, word, &mut |node| {
            match (part, asked(unit, node)) {
                (Part::Keys, Some((key, _))) => {
                    match expression(unit, key) {
                        // A literal changes with the table.
                        StringRole::Unknown if is_text(unit, key) => {}
                        StringRole::Unknown => open = true,
                        found => votes.add(found),
                    }
                }
                (Part::Values, Some((_, Some(whole)))) => votes.add(used(unit, whole)),
                (_, None) => open = true,
                _ => {}
            }
        });
        match votes.verdict() {
            StringRole::Known(ValueKind::Device) if open && part == Part::Keys => {
                StringRole::Ambiguous
            }
            found => found,
        }
    })
}

/// Whether a table is asked by texts and devices only, so that all that it is asked by is known.
pub fn is_closed(unit: &ModuleView<'_>, table: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(table) != Kind::Identifier {
        return false;
    }
    let word = tree.word(table);
    let scope = unit.module.bindings(table, word).0;
    let (mut asked_by_known, mut closed) = (false, true);
    in_scope(unit, scope, word, &mut |node| {
        let known = asked(unit, node).is_some_and(|(key, _)| {
            is_text(unit, key) || expression(unit, key) == StringRole::Known(ValueKind::Device)
        });
        asked_by_known |= known;
        closed &= known;
    });
    asked_by_known && closed
}

/// Whether a key is a text that is written, or put together, where it stands.
fn is_text(unit: &ModuleView<'_>, key: NodeId) -> bool {
    matches!(
        unit.module.tree.kind(key),
        Kind::Str | Kind::ConcatenatedString | Kind::Binary
    )
}

/// How a table is asked at a use of it: the key, and the expression that is what it gives.
fn asked(unit: &ModuleView<'_>, node: NodeId) -> Option<(NodeId, Option<NodeId>)> {
    let tree = &unit.module.tree;
    let up = tree.parent(node)?;
    match tree.kind(up) {
        Kind::Subscript if tree.field(node) == Field::Value => {
            Some((tree.child(up, Field::Subscript)?, Some(up)))
        }
        Kind::Attribute if tree.field(node) == Field::Object => {
            let call = tree
                .parent(up)
                .filter(|&one| tree.kind(one) == Kind::Call)?;
            let method = tree.word(tree.child(up, Field::Attribute)?);
            let first = tree.nth(tree.child(call, Field::Arguments)?, 0)?;
            has(&unit.python_values().words_of_calls.looks_up, method)
                .then_some((first, Some(call)))
        }
        // `key in TABLE`
        Kind::Comparison => tree.children(up).next().map(|key| (key, None)),
        _ => None,
    }
}
