//! What a parameter holds that the tree gives the type of a device: `convert(tensor.device.type)`.

use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::role::{RoleEvidence, RoleTerm};
use crate::python::inference::values::callers::each_value;
use torchada_syntax::python::{BoundValue, Kind, NodeId, ScopeId};

/// What the types show that callers give for a parameter; `None` where they give none. `role` says what an expression is,
/// because only the object tells that `.type` is that of a device.
pub(super) fn given_types(
    view: &ModuleView<'_>,
    scope: ScopeId,
    word: &[u8],
    role: &dyn Fn(&ModuleView<'_>, NodeId) -> RoleTerm,
) -> Option<RoleTerm> {
    let mut bindings = view.module.bindings_in(scope, word).iter();
    if !bindings.any(|binding| matches!(binding.what, BoundValue::Parameter)) {
        return None;
    }
    let mut types = Vec::new();
    let slot = Slot::new(view.index, scope, word, SlotKind::Variable);
    each_value(view, &slot, &mut |other, value| {
        let is_type = other.module.tree.kind(value) == Kind::Attribute
            && other.module.last_name(value) == b"type";
        if is_type {
            types.push(role(other, value).map(RoleEvidence::summed_up));
        }
    });
    (!types.is_empty()).then(|| Term::Join(types).only_device())
}
