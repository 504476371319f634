//! One model of the values in a tree's Python: which role each value has, and where it goes. All rules ask it.
//!
//! Values live in slots: variables, parameters, attributes, returns, the keys and values of dictionaries. What is known of a
//! slot is an equation over other slots, made from the places where the slot is used or set (`uses`, `values`, `by_use`).
//! The equations that a question needs are made once in a run and solved to a fixpoint (`facts`), so the answer depends
//! neither on earlier questions nor on the order of files, calls or statements. Rules read answers here and follow
//! nothing themselves.

mod by_use;
mod facts;
pub mod limits;
mod project_names;
mod purpose;
mod role;
mod summaries;
mod uses;
mod values;

use super::ModuleView;
use role::RoleTerm;
use torchada_syntax::python::{Consumer, NodeId, Use};

pub use by_use::by_position::sought_in;
pub use by_use::definitions::written_values;
pub use by_use::dictionaries::{has_text_keys, is_closed, is_only_looked_up};
pub use by_use::enums::{
    is_enum, is_member_of_device_enum, is_member_of_option, parameter_of_member,
};
pub use by_use::flow::dictionary_name as entry_dictionary;
pub use by_use::look_ups::missing;
pub use by_use::own_keys::has_own_keys;
pub use by_use::tensor_uses::is_treated_as_torchs;
pub use by_use::torch_objects::is_torchs;
pub use facts::equation::{Fact, Term};
pub use facts::slot::{Slot, SlotKind};
pub use facts::solver::SolvedFacts;
pub use project_names::imported::is_imported_by_own_function;
pub use project_names::name_conflicts::{NameConflict, conflicting_name};
pub use project_names::platform_names::is_project_platform_name;
pub use project_names::registries::names_entry;
pub use project_names::word_sources::may_be_users_word;
pub use purpose::Purpose;
pub use role::annotations::annotated;
pub use role::device_texts::{
    cudas_device, is_cudas_device, names_cudas_device, names_device, puts_in_suffix, typed_object,
};
pub use role::names::by_name;
pub use role::questions::picked;
pub use role::{StringRole, options};
pub use summaries::Summaries;
pub use uses::callee;
pub use uses::callee::{class_body, imported_variable, only_value};
pub use uses::compared::compared_in;
pub use uses::name_uses::{
    any_use, any_use_here, each_attribute, each_use_here, each_use_of, each_use_of_attribute,
    each_use_while, in_scope,
};
pub use uses::shared_answers::is_member;
pub use values::attributes::values_of_own_field;

/// The role of a string by its use: by its position, else by the places that its value flows to.
pub fn string_role(view: &ModuleView<'_>, of: &Use) -> StringRole {
    solve(view, &by_use::flow::role(view, of))
}

/// The role of a string by the places that its value flows to, whatever its position says.
pub fn role_by_flow(view: &ModuleView<'_>, of: &Use) -> StringRole {
    solve(view, &by_use::flow::by_flow(view, of))
}

/// The role of the value of an expression.
pub fn expression_role(view: &ModuleView<'_>, expression: NodeId) -> StringRole {
    solve(view, &by_use::expressions::expression(view, expression))
}

/// Whether an expression is the type of a device: `x.device.type`.
pub fn is_type_of_device(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let object = typed_object(view, expression);
    object.is_some_and(|one| expression_role(view, one).is_device())
}

/// The dictionary of which a string is a key, or in which it is looked up.
pub fn keyed_dictionary(view: &ModuleView<'_>, of: &Use) -> Option<NodeId> {
    match of.consumer {
        Consumer::DictKey { pair } => by_use::flow::dictionary_name(view, pair),
        Consumer::Item { of } => Some(of),
        _ => None,
    }
}

fn solve(view: &ModuleView<'_>, term: &RoleTerm) -> StringRole {
    let equation = |slot: &Slot| {
        let term = view.question_of(slot.file, |view| by_use::flow::equation(view, slot));
        term.unwrap_or_else(RoleTerm::unknown)
    };
    view.summaries.roles.solve(term, &equation).role()
}
