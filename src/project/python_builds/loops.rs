//! What a loop gives to its names.

use super::reader::{Place, Reader};
use super::value::{ANY, ANY_FOLDERS, Value, joined};
use torchada_mapping::builds::PathStep;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

impl Reader<'_, '_> {
    /// What the name at a place gets from a loop, or from a clause of a comprehension.
    pub(super) fn element(&mut self, at: Place, over: NodeId) -> Value {
        let tree = self.tree_of(at);
        let (Some(target), Some(list)) = (
            tree.child(over, Field::Left),
            tree.child(over, Field::Right),
        ) else {
            return self.unknown(at);
        };
        let list = at.with(list);
        let mut parts = tree.children(target);
        let mut value = if tree.kind(target) == Kind::Identifier {
            self.value(list)
        } else {
            match parts.position(|one| one == at.node) {
                Some(place) => self.nth_of(list, place, self.table.limits.names),
                None => self.unknown(at),
            }
        };
        value.is_list = false;
        value
    }

    /// What stands at a place in each item of a list.
    fn nth_of(&mut self, list: Place, place: usize, steps: usize) -> Value {
        let parsed = self.module_of(list);
        let tree = &parsed.tree;
        let Some(steps) = steps.checked_sub(1) else {
            return self.unknown(list);
        };
        match tree.kind(list.node) {
            Kind::List | Kind::Tuple | Kind::Set => {
                let mut value = Value::default();
                for item in tree.children(list.node) {
                    let is_pair = matches!(tree.kind(item), Kind::Tuple | Kind::List);
                    let part = tree.nth(item, place).filter(|_| is_pair);
                    value.add(match part {
                        Some(node) => self.value(list.with(node)),
                        None => self.unknown(list.with(item)),
                    });
                }
                value
            }
            Kind::Identifier => match parsed.bindings(list.node, tree.word(list.node)) {
                (_, [only]) if matches!(only.what, BoundValue::Value(_)) => {
                    self.read.insert(list);
                    let BoundValue::Value(node) = only.what else {
                        return self.unknown(list);
                    };
                    self.nth_of(list.with(node), place, steps)
                }
                _ => self.unknown(list),
            },
            Kind::Call => {
                let argument = |at: usize| tree.argument(list.node, at);
                match (self.step_of(list), place) {
                    (Some(PathStep::Walk), 0) => {
                        let folder = self.part(list, argument(0));
                        folder.with(&Value::text(ANY_FOLDERS, None), [ANY_FOLDERS, ""], joined)
                    }
                    (Some(PathStep::Walk), _) | (Some(PathStep::Numbered), 0) => {
                        Value::text(ANY, None)
                    }
                    (Some(PathStep::Pairs), _) => self.part(list, argument(place)),
                    (Some(PathStep::Numbered), 1) => self.part(list, argument(0)),
                    (None, _) => self.entries(list, place),
                    _ => self.unknown(list),
                }
            }
            _ => self.unknown(list),
        }
    }

    /// The keys or the values of `names.items()`.
    fn entries(&mut self, call: Place, place: usize) -> Value {
        let parsed = self.module_of(call);
        let tree = &parsed.tree;
        let callee = tree.callee(call.node);
        let object = callee.and_then(|callee| tree.child(callee, Field::Object));
        let is_items = parsed.callee_word(call.node) == b"items";
        match object.filter(|_| is_items) {
            Some(object) if place == 1 => self.part(call, Some(object)),
            Some(_) => Value::text(ANY, None),
            None => self.unknown(call),
        }
    }
}
