//! The role of the keys and of the values of a dictionary, by how the dictionary is used.

use super::expressions::expression;
use super::flow::{at_use, dictionary_name};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::{BODY, LOOP_TARGET};
use crate::python::inference::role::names::by_name;
use crate::python::inference::role::{RoleEvidence, RoleTerm, StringRole};
use crate::python::inference::uses::name_uses::{each_use_while, in_importers, in_scope};
use crate::python::inference::values::attributes::tables_of_objects;
use crate::python::inference::values::steps::{attribute_uses, destinations};
use torchada_mapping::has;
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, Literal, NodeId};
use torchada_text::contains;

/// The role of the keys or of the values of a dictionary, by its uses.
pub fn uses(view: &ModuleView<'_>, slot: &Slot) -> RoleTerm {
    let is_keys = slot.kind != SlotKind::Values;
    let mut uses = Vec::new();
    let mut is_open = false;
    let mut add = |view: &ModuleView<'_>, node: NodeId| {
        if is_tested_as_a_whole(view, node) {
            return;
        }
        match (is_keys, look_up(view, node)) {
            // A literal changes together with the dictionary.
            (true, Some(look_up)) if is_text(view, look_up.key) => {
                uses.push(expression(view, look_up.key).map_role(|role| match role {
                    StringRole::Unknown => StringRole::Text,
                    known => known,
                }));
            }
            (true, Some(look_up)) if is_item_of_another(view, look_up.key, &slot.name) => {
                is_open = true;
            }
            (true, Some(look_up)) => uses.push(expression(view, look_up.key)),
            (_, Some(look_up)) => uses.extend(look_up.value.map(|value| at_use(view, value))),
            // `look_up(device, TABLE)`: what the function does with it.
            (_, None) => match argument_slots(view, node, slot.kind) {
                handed if handed.is_empty() => is_open = true,
                handed => uses.extend(handed.into_iter().map(RoleTerm::Of)),
            },
        }
    };
    if slot.kind == SlotKind::KeysOfAttribute {
        attribute_uses(view, slot, &mut add);
    } else {
        in_scope(view, slot.scope, &slot.name, &mut |node| add(view, node));
        in_importers(view, slot.scope, &slot.name, &mut add);
    }
    if !is_keys {
        return RoleTerm::of_uses(uses);
    }
    if is_open {
        uses.push(RoleTerm::unknown());
    }
    let uses = uses.into_iter().map(|one| one.map(RoleEvidence::summed_up));
    RoleTerm::Join(uses.collect())
        .map(RoleEvidence::tied_where_open)
        .map_role(|role| match role {
            // Keys that are texts for people are not known any better.
            StringRole::Text => StringRole::Unknown,
            known => known,
        })
}

/// The slots of the parameters that take a dictionary as an argument; none where it is handed on in another way.
fn argument_slots(view: &ModuleView<'_>, node: NodeId, kind: SlotKind) -> Vec<Slot> {
    let of = view.module.use_of(node);
    let is_argument = matches!(
        of.consumer,
        Consumer::Argument { .. } | Consumer::Keyword { .. }
    );
    if !is_argument || of.is_part() || !of.steps.is_empty() {
        return Vec::new();
    }
    let kind = match kind {
        SlotKind::Values => SlotKind::Values,
        _ => SlotKind::Keys,
    };
    let taking = destinations(view, &of).into_iter();
    let parameters = taking.filter(|slot| slot.kind == SlotKind::Variable);
    parameters.map(|slot| Slot { kind, ..slot }).collect()
}

/// Whether all uses of a dictionary look up texts or devices, so that the code shows all keys that are looked up.
pub fn is_closed(view: &ModuleView<'_>, dictionary: NodeId) -> bool {
    let tree = &view.module.tree;
    if tree.kind(dictionary) != Kind::Identifier {
        return false;
    }
    let word = tree.word(dictionary);
    let scope = view.module.bindings(dictionary, word).0;
    let (mut has_look_up, mut is_closed) = (false, true);
    in_scope(view, scope, word, &mut |node| {
        let is_known = look_up(view, node).is_some_and(|look_up| {
            is_text(view, look_up.key)
                || crate::python::inference::expression_role(view, look_up.key).is_device()
        });
        has_look_up |= is_known;
        is_closed &= is_known;
    });
    has_look_up && is_closed
}

/// Whether a key is a text that is written, or put together, where it stands.
fn is_text(view: &ModuleView<'_>, key: NodeId) -> bool {
    matches!(
        view.module.tree.kind(key),
        Kind::Str | Kind::ConcatenatedString | Kind::Binary
    )
}

/// Whether a key is one of those that a loop gets from something else than the dictionary of a name, and does not tell by
/// its own name what it is.
fn is_item_of_another(view: &ModuleView<'_>, key: NodeId, table: &[u8]) -> bool {
    let tree = &view.module.tree;
    if tree.kind(key) != Kind::Identifier || by_name(view, tree.word(key)) != StringRole::Unknown {
        return false;
    }
    let loops = view.module.meanings(key).iter();
    let mut loops = loops.filter_map(|binding| {
        let mut around = tree.ancestors(binding.at).take(LOOP_TARGET);
        let is_loop = |&one: &NodeId| matches!(tree.kind(one), Kind::For | Kind::ForIn);
        let looped = around
            .find(is_loop)
            .filter(|_| binding.what == BoundValue::Unknown)?;
        tree.child(looped, Field::Right)
    });
    loops.any(|items| !contains(tree.word(items), table))
}

/// A place where the code looks up a key of a dictionary.
struct LookUp {
    key: NodeId,
    /// The expression whose value is the dictionary's; `None` where the code only tests whether the key is there.
    value: Option<NodeId>,
}

/// The key that is looked up at a use of a dictionary.
pub fn key_looked_up(view: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    look_up(view, node).map(|found| found.key)
}

/// The key that is looked up at a use of a dictionary, and the expression whose value is the dictionary's.
pub fn value_looked_up(view: &ModuleView<'_>, node: NodeId) -> Option<(NodeId, NodeId)> {
    look_up(view, node).and_then(|found| Some((found.key, found.value?)))
}

/// The look-up at a use of a dictionary.
fn look_up(view: &ModuleView<'_>, node: NodeId) -> Option<LookUp> {
    let tree = &view.module.tree;
    let up = tree.parent(node)?;
    match tree.kind(up) {
        Kind::Subscript if tree.field(node) == Field::Value => Some(LookUp {
            key: tree.child(up, Field::Subscript)?,
            value: Some(up),
        }),
        // `for key in TABLE`
        Kind::For | Kind::ForIn if tree.field(node) == Field::Right => Some(LookUp {
            key: tree.child(up, Field::Left)?,
            value: None,
        }),
        Kind::Attribute if tree.field(node) == Field::Object => {
            let call = tree.parent_if(up, Kind::Call)?;
            let method = tree.word(tree.child(up, Field::Attribute)?);
            let words = &view.python_values().words_of_calls;
            if has(&words.gives_keys, method) {
                let key = key_of_loop(view, call)?;
                return Some(LookUp { key, value: None });
            }
            let key = tree.nth(tree.child(call, Field::Arguments)?, 0)?;
            let value = Some(call);
            has(&words.looks_up, method).then_some(LookUp { key, value })
        }
        // `key in TABLE`
        Kind::Comparison if !is_tested_as_a_whole(view, node) => {
            let key = tree.children(up).next()?;
            Some(LookUp { key, value: None })
        }
        _ => None,
    }
}

/// Whether the code asks at a use of a dictionary what it is, and for none of its keys: `states is not None`.
fn is_tested_as_a_whole(view: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &view.module.tree;
    let comparison = tree.parent_if(node, Kind::Comparison);
    comparison.is_some_and(|up| tree.children(up).next() == Some(node))
}

/// The name that each key gets in the loop over what a call gives: `for key, value in TABLE.items()`.
fn key_of_loop(view: &ModuleView<'_>, call: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let looped = tree.parent(call).filter(|&up| {
        matches!(tree.kind(up), Kind::For | Kind::ForIn) && tree.field(call) == Field::Right
    })?;
    let target = tree.child(looped, Field::Left)?;
    match tree.kind(target) {
        Kind::Identifier => Some(target),
        _ => tree.nth(target, 0),
    }
}

/// Whether the function around looks something up by a text in what an expression holds: `states["cpu"]`.
pub fn has_text_keys(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &view.module.tree;
    if !matches!(tree.kind(expression), Kind::Identifier | Kind::Attribute) {
        return false;
    }
    let inside = tree.below_function_around(expression).take(BODY);
    let mut items = inside.filter(|&one| tree.kind(one) == Kind::Subscript);
    items.any(|item| {
        let object = tree.child(item, Field::Value);
        object.is_some_and(|object| tree.word(object) == tree.word(expression))
            && tree
                .nth(item, 1)
                .is_some_and(|key| Literal::read(tree, key).is_some())
    })
}

/// Whether the dictionary of an entry is used for look-ups alone, one of which at least is by a key that `is_asked` takes. It
/// may be used where it is written, or by its name.
pub fn is_only_looked_up(
    view: &ModuleView<'_>,
    pair: NodeId,
    is_asked: &dyn Fn(&ModuleView<'_>, NodeId) -> bool,
) -> bool {
    let tree = &view.module.tree;
    let Some(dictionary) = tree.parent(pair) else {
        return false;
    };
    // `{"cpu": …, "cuda": …}[args.device]`
    if let Some((key, _)) = value_looked_up(view, dictionary) {
        return is_asked(view, key);
    }
    let Some(name) = dictionary_name(view, pair) else {
        return false;
    };
    let (mut looked_up, mut more) = (false, false);
    let mut look_at = |other: &ModuleView<'_>, node: NodeId| {
        let tree = &other.module.tree;
        let is_written = |value: NodeId| tree.assigned_value(value).is_some();
        let of = other.module.use_of(node);
        match value_looked_up(other, node) {
            Some((key, value)) if !is_written(value) => {
                looked_up = looked_up || is_asked(other, key);
            }
            // `key in TABLE`
            None if matches!(of.consumer, Consumer::Comparison { on_left: false, .. }) => {}
            None if of.consumer == Consumer::Message || of.is_part() => {}
            _ => more = true,
        }
        !more
    };
    let fields = tables_of_objects(view, name);
    if fields.is_empty() && tree.kind(name) == Kind::Identifier {
        each_use_while(view, name, &mut look_at);
    }
    for field in fields {
        view.question_of(field.file, |home| {
            attribute_uses(home, &field, &mut |other, node| {
                look_at(other, node);
            });
        });
    }
    looked_up && !more
}
