//! Places of one name space that a port decides apart: a name that stays, and MUSA's name that it meets when the program
//! runs. They meet where one is compared with the other, or is a key that the other is looked up by.

use rustc_hash::FxHashSet;

use crate::python::ModuleView;
use crate::python::inference::by_use::dictionaries::key_looked_up;
use crate::python::inference::by_use::flow::dictionary_name;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::is_type_of_device;
use crate::python::inference::limits::{SLOTS_APART, STEPS_APART};
use crate::python::inference::values::attributes::tables_of_objects;
use crate::python::inference::values::callers::each_value;
use crate::python::inference::values::steps::{destinations, each_place, origins, slot_of_name};
use torchada_syntax::python::{Consumer, Kind, NodeId, Use};
use torchada_text::TextRange;

/// MUSA's name, where a name that stays meets it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NameConflict {
    /// The file's place in the project.
    pub file: usize,
    /// The text, or the expression.
    pub range: TextRange,
    /// Whether the expression is the type of one of `PyTorch`'s devices, and no text that the port writes.
    pub is_type: bool,
}

/// Whether the port writes MUSA's name at a place.
pub type Writes<'w> = &'w dyn Fn(&ModuleView<'_>, NodeId) -> bool;

/// MUSA's name that a text meets which stays CUDA's. `writes` says where the port writes one.
pub fn conflicting_name(
    view: &ModuleView<'_>,
    text: NodeId,
    writes: Writes<'_>,
) -> Option<NameConflict> {
    let of = view.module.use_of(text);
    let mut search = Search {
        writes,
        seen: FxHashSet::default(),
        found: None,
    };
    match of.consumer {
        _ if of.is_part() => {}
        Consumer::Comparison { other, .. } => search.look_at_values(view, other, STEPS_APART),
        Consumer::Pattern { subject, .. } => search.look_at_values(view, subject, STEPS_APART),
        Consumer::DictKey { pair } => {
            if let Some(table) = dictionary_name(view, pair) {
                search.looked_up_in(view, table);
            }
        }
        Consumer::Item { of: table } => {
            search.has_key(view, table);
            search.looked_up_in(view, table);
        }
        _ => search.look_at_use(view, &of, STEPS_APART),
    }
    search.found
}

struct Search<'w> {
    writes: Writes<'w>,
    seen: FxHashSet<(Slot, bool)>,
    found: Option<NameConflict>,
}

impl Search<'_> {
    /// Whether a slot is to be looked at, for what it gives or for what takes it.
    fn enters(&mut self, slot: &Slot, gives: bool) -> bool {
        self.found.is_none()
            && self.seen.len() < SLOTS_APART
            && self.seen.insert((slot.clone(), gives))
    }

    fn finds(&mut self, view: &ModuleView<'_>, at: NodeId, is_type: bool) {
        self.found.get_or_insert(NameConflict {
            file: view.index,
            range: view.module.tree.range(at),
            is_type,
        });
    }

    /// Look for MUSA's name among the values that an expression gives.
    fn look_at_values(&mut self, view: &ModuleView<'_>, expression: NodeId, steps: usize) {
        let tree = &view.module.tree;
        match tree.kind(expression) {
            Kind::Str if (self.writes)(view, expression) => {
                return self.finds(view, expression, false);
            }
            Kind::Attribute if is_type_of_device(view, expression) => {
                return self.finds(view, expression, true);
            }
            Kind::Conditional => {
                for side in [0, 2].into_iter().filter_map(|at| tree.nth(expression, at)) {
                    self.text(view, side);
                }
            }
            Kind::Boolean | Kind::Parenthesized => {
                for side in tree.children(expression) {
                    self.text(view, side);
                }
            }
            _ => {}
        }
        let Some(steps) = steps.checked_sub(1) else {
            return;
        };
        for slot in origins(view, expression) {
            if self.enters(&slot, true)
                && let Some(home) = view.other(slot.file)
            {
                each_value(&home, &slot, &mut |other, value| {
                    self.look_at_values(other, value, steps);
                });
            }
        }
    }

    fn text(&mut self, view: &ModuleView<'_>, node: NodeId) {
        if view.module.tree.kind(node) == Kind::Str && (self.writes)(view, node) {
            self.finds(view, node, false);
        }
    }

    /// Look for MUSA's name where a value is taken.
    fn look_at_use(&mut self, view: &ModuleView<'_>, of: &Use, steps: usize) {
        let Some(steps) = steps.checked_sub(1) else {
            return;
        };
        for slot in destinations(view, of) {
            if self.enters(&slot, false)
                && let Some(home) = view.other(slot.file)
            {
                each_place(&home, &slot, &mut |other, node| {
                    self.taken_at(other, node, steps);
                });
            }
        }
    }

    fn taken_at(&mut self, view: &ModuleView<'_>, node: NodeId, steps: usize) {
        let of = view.module.use_of(node);
        let tree = &view.module.tree;
        match of.consumer {
            _ if of.is_part() => {}
            Consumer::Comparison { other, .. } => {
                for side in std::iter::once(other).chain(tree.children(other)) {
                    self.text(view, side);
                }
            }
            Consumer::Item { of: table } => self.has_key(view, table),
            _ => self.look_at_use(view, &of, steps),
        }
    }

    /// Look for MUSA's name among the keys that a dictionary is made with.
    fn has_key(&mut self, view: &ModuleView<'_>, table: NodeId) {
        for slot in tables(view, table) {
            let values = Slot {
                kind: match slot.kind {
                    SlotKind::KeysOfAttribute => SlotKind::Attribute,
                    kind => kind,
                },
                ..slot
            };
            let Some(home) = view.other(values.file) else {
                continue;
            };
            each_value(&home, &values, &mut |other, value| {
                let tree = &other.module.tree;
                if tree.kind(value) == Kind::Dictionary {
                    for key in tree.keys(value) {
                        self.text(other, key);
                    }
                }
            });
        }
    }

    /// Look for MUSA's name among the keys that are looked up in a dictionary.
    fn looked_up_in(&mut self, view: &ModuleView<'_>, table: NodeId) {
        for slot in tables(view, table) {
            if self.enters(&slot, false)
                && let Some(home) = view.other(slot.file)
            {
                each_place(&home, &slot, &mut |other, node| {
                    if let Some(key) = key_looked_up(other, node) {
                        self.look_at_values(other, key, STEPS_APART);
                    }
                });
            }
        }
    }
}

/// The slots that a dictionary is kept in.
fn tables(view: &ModuleView<'_>, table: NodeId) -> Vec<Slot> {
    let mut found = tables_of_objects(view, table);
    if found.is_empty() && view.module.tree.kind(table) == Kind::Identifier {
        found.extend(slot_of_name(view, table));
    }
    found
}
