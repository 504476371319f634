//! Names by which the project finds something of its own: `config.backend`, where `registry[config.backend]` is a class.

use super::name_spaces::reaches_torch;
use crate::python::ModuleView;
use crate::python::inference::facts::slot::Slot;
use crate::python::inference::uses::callee::callees;
use crate::python::inference::values::attributes::{
    slots_by_class_name, slots_of_field, slots_of_keyword,
};
use crate::python::inference::values::steps::{destinations, gets_to};
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, NodeId, Use};

/// Whether a value only goes to where the project finds something by it, and never to `PyTorch`.
pub fn names_entry(view: &ModuleView<'_>, of: &Use) -> bool {
    let mut slots = destinations(view, of);
    match of.consumer {
        Consumer::Target { target } => {
            slots.extend(slots_of_field(view, target));
            slots.extend(slots_by_class_name(view, target));
        }
        Consumer::Keyword { call, name } if slots.is_empty() => {
            slots.extend(slots_of_keyword(view, call, name));
        }
        Consumer::Comparison { other, .. } => slots.extend(slots_by_class_name(view, other)),
        _ => {}
    }
    slots.iter().any(|slot| is_key(view, slot))
        && !slots.iter().any(|slot| reaches_torch(view, slot))
}

/// Whether the value of a slot gets to where something is found by it.
fn is_key(view: &ModuleView<'_>, slot: &Slot) -> bool {
    gets_to(view, slot, &view.summaries.keys, &|_, _| false, &finds)
}

/// Whether something is found by the value: `registry[name]`, `registry.get(name)`.
fn finds(view: &ModuleView<'_>, of: &Use) -> bool {
    let words = &view.python_values().words_of_calls;
    let looks_up = |call: NodeId| {
        has(&words.looks_up, view.module.callee_word(call)) && callees(view, call).is_empty()
    };
    of.steps.is_empty()
        && (matches!(of.consumer, Consumer::Item { .. }) || of.argument_at(0).is_some_and(looks_up))
}
