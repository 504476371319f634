//! One model of the values in a tree's Python: which role each value has, and where it goes. All rules ask it.
//!
//! Values live in slots: variables, parameters, attributes, returns, the keys and values of dictionaries. What is known of a
//! slot is an equation over other slots, made from the places where the slot is used or set (`uses`, `flow`).
//! The equations that a question needs are made once in a run and solved to a fixpoint (`solver`), so the answer depends
//! neither on earlier questions nor on the order of files, calls or statements. Rules read answers here and follow
//! nothing themselves.

mod arguments;
mod attribute_places;
mod attributes;
mod by_position;
pub mod callee;
mod callers;
mod compared;
mod definitions;
mod dictionaries;
mod elsewhere;
mod enums;
mod equation;
mod expressions;
mod flow;
mod imported;
pub mod limits;
mod look_ups;
mod met_names;
mod name_spaces;
mod names;
pub mod options;
mod places;
mod platform_names;
mod purpose;
mod questions;
mod references;
mod registries;
mod registry_keys;
mod role;
mod slot;
mod solver;
mod steps;
mod summaries;
mod tensor_uses;
mod torch_objects;
mod uses;
mod word_source;
mod word_sources;

use super::ModuleView;
use role::RoleTerm;
use torchada_syntax::python::{Consumer, NodeId, Use};

pub use attributes::values_of_own_field;
pub use callee::{class_body, only_value};
pub use compared::compared_in;
pub use definitions::written_values;
pub use dictionaries::{has_text_keys, is_closed, is_only_looked_up};
pub use enums::{is_member_of_device_enum, is_member_of_option};
pub use equation::{Fact, Term};
pub use flow::dictionary_name as entry_dictionary;
pub use imported::is_imported_by_own_function;
pub use look_ups::missing;
pub use met_names::{Met, met};
pub use names::{by_name, names_device, puts_in_suffix};
pub use platform_names::is_project_platform_name;
pub use purpose::Purpose;
pub use questions::picked;
pub use registries::names_entry;
pub use role::StringRole;
pub use slot::{Slot, SlotKind};
pub use solver::SolvedFacts;
pub use summaries::Summaries;
pub use tensor_uses::is_treated_as_tensor;
pub use torch_objects::is_torchs;
pub use uses::{each_attribute, each_use, each_use_of};
pub use word_sources::may_be_users_word;

/// The role of a string by its use: by its position, else by the places that its value flows to.
pub fn string_role(view: &ModuleView<'_>, of: &Use) -> StringRole {
    solve(view, &flow::role(view, of))
}

/// The role of a string by the places that its value flows to, whatever its position says.
pub fn role_by_flow(view: &ModuleView<'_>, of: &Use) -> StringRole {
    solve(view, &flow::by_flow(view, of))
}

/// The role of the value of an expression.
pub fn expression_role(view: &ModuleView<'_>, expression: NodeId) -> StringRole {
    solve(view, &expressions::expression(view, expression))
}

/// The dictionary of which a string is a key, or in which it is looked up.
pub fn keyed_dictionary(view: &ModuleView<'_>, of: &Use) -> Option<NodeId> {
    match of.consumer {
        Consumer::DictKey { pair } => flow::dictionary_name(view, pair),
        Consumer::Item { of } => Some(of),
        _ => None,
    }
}

fn solve(view: &ModuleView<'_>, term: &RoleTerm) -> StringRole {
    let equation = |slot: &Slot| match view.other(slot.file) {
        Some(view) => flow::equation(&view, slot),
        None => StringRole::Unknown.into(),
    };
    view.summaries.roles.solve(term, &equation).role()
}
