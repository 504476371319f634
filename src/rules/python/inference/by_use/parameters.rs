//! What parameters hold, by their names, else by their uses in the function.

use super::registry_keys::is_only_key;
use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::role::names::by_name;
use crate::python::inference::role::{RoleTerm, StringRole};
use crate::python::inference::uses::callee::{callees, definition_of, functions};
use torchada_mapping::{ValueKind, has};
use torchada_project::python::{ArgumentPlace, Callee};
use torchada_syntax::python::{Field, NodeId};

/// What the parameter of a function of the file holds.
pub fn of_parameter_in(view: &ModuleView<'_>, function: NodeId, name: &[u8]) -> RoleTerm {
    let body = view.module.tree.child(function, Field::Body);
    body.map_or_else(RoleTerm::unknown, |body| {
        let scope = view.module.scope_of(body);
        Term::Of(Slot::new(view.index, scope, name, SlotKind::Variable))
    })
}

/// What a parameter of a function of the tree's holds.
pub(super) fn of_parameter(view: &ModuleView<'_>, callee: Callee, name: &str) -> RoleTerm {
    let named = by_name(view, name.as_bytes());
    let is_vague = matches!(
        named,
        StringRole::Unknown | StringRole::Known(ValueKind::Other)
    );
    let may_be_key = named == StringRole::Known(ValueKind::Backend);
    if !is_vague && !may_be_key || callee.fields {
        return named.into();
    }
    let Some((other, function)) = definition_of(view, callee) else {
        return named.into();
    };
    if may_be_key {
        let is_key = is_only_key(&other, function, name.as_bytes());
        return if is_key {
            StringRole::Known(ValueKind::Other).into()
        } else {
            named.into()
        };
    }
    let used = of_parameter_in(&other, function, name.as_bytes());
    match named {
        // A name such as `true_backend` is given to implementations and to backends alike.
        StringRole::Known(_) => used.map_role(move |role| match role {
            StringRole::Known(ValueKind::Backend) => role,
            _ => named,
        }),
        _ => used,
    }
}

/// What the parameter holds that takes an argument, by the functions of the tree's that are called.
pub(super) fn of_parameter_of_call(
    view: &ModuleView<'_>,
    call: NodeId,
    place: ArgumentPlace<'_>,
) -> RoleTerm {
    let tree = &view.module.tree;
    // `partial(f, "cuda")`
    let words = &view.python_values().words_of_calls;
    let (called, place) = if has(&words.partial, view.module.callee_word(call)) {
        let first = tree.argument(call, 0);
        match (first, place) {
            (Some(first), ArgumentPlace::Position(at)) if at > 0 => {
                (functions(view, first), ArgumentPlace::Position(at - 1))
            }
            (Some(first), ArgumentPlace::Keyword(_)) => (functions(view, first), place),
            _ => return RoleTerm::unknown(),
        }
    } else {
        (callees(view, call), place)
    };
    let mut terms = Vec::new();
    for one in called {
        let Some(parameter) = view.modules.parameter(one, place) else {
            return RoleTerm::unknown();
        };
        terms.push(of_parameter(view, one, parameter.name()));
    }
    Term::agree(terms)
}
