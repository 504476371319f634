//! Enumerations of devices: classes that the code makes members of by the types of `PyTorch`'s devices,
//! `Device(tensor.device.type)`. Their values are the names of these types.

use crate::python::ModuleView;
use crate::python::inference::role::names::by_name;
use crate::python::inference::role::options::is_class_of_option;
use crate::python::inference::uses::callee::{class_body, class_name, own_class};
use crate::python::inference::uses::name_uses::any_use;
use torchada_project::python::{ArgumentPlace, Callee};
use torchada_syntax::python::{Consumer, Field, Kind, NodeId, Parameter, Use};

/// Whether a target is the member of such a class.
pub fn is_member_of_device_enum(view: &ModuleView<'_>, target: NodeId) -> bool {
    let Some(name) = enum_of_member(view, target) else {
        return false;
    };
    any_use(view, name, &mut |other, node| {
        is_called_with_type(other, node)
    })
}

/// Whether a target is the member of an enumeration whose values people write for an option: `class Device(str, Enum)`, of
/// which `device: Device = typer.Option(…)` takes one.
pub fn is_member_of_option(view: &ModuleView<'_>, target: NodeId) -> bool {
    enum_of_member(view, target).is_some_and(|name| is_class_of_option(view, name))
}

/// The parameter of the constructor that gets an item of the value of an enumeration's member: `CUDA = ("cuda", "nccl")`,
/// where `__init__` has a `device_type` and a `backend`.
pub fn parameter_of_member<'v>(view: &ModuleView<'v>, of: &Use) -> Option<(Callee, Parameter<'v>)> {
    let tree = &view.module.tree;
    let Consumer::Target { target } = of.consumer else {
        return None;
    };
    let mut items = of.items();
    let (Some(item), None) = (items.next(), items.next()) else {
        return None;
    };
    tree.parent_if(item, Kind::Tuple)?;
    enum_of_member(view, target)?;
    let (file, class) = own_class(view, target)?;
    let constructor = view.modules.constructor(file, class)?;
    let place = ArgumentPlace::Position(tree.ordinal(item));
    let parameter = view.modules.parameter(constructor, place)?;
    Some((constructor, parameter))
}

/// The name of the enumeration that a target is a member of.
fn enum_of_member(view: &ModuleView<'_>, target: NodeId) -> Option<NodeId> {
    let class = view.module.tree.parent(class_body(view, target)?)?;
    let name = class_name(view, class)?;
    is_enum(view, class).then_some(name)
}

/// Whether a class, or a class of the tree's that it is made from, has a base that is called as enumerations are.
pub fn is_enum(view: &ModuleView<'_>, class: NodeId) -> bool {
    let tree = &view.module.tree;
    let bases = tree.child(class, Field::Superclasses);
    let mut bases = bases.into_iter().flat_map(|bases| tree.children(bases));
    let inherits = || {
        let inside = tree.child(class, Field::Body).unwrap_or(class);
        let own = own_class(view, inside);
        let outside =
            own.map(|(file, class)| view.modules.each_class(file, class, &mut |_, _| false));
        outside.is_some_and(|names| names.iter().any(|name| name.ends_with("Enum")))
    };
    bases.any(|base| view.module.last_name(base).ends_with(b"Enum")) || inherits()
}

/// Whether a name is called with the type of a device: `Device(tensor.device.type)`.
fn is_called_with_type(view: &ModuleView<'_>, name: NodeId) -> bool {
    let tree = &view.module.tree;
    let call = tree.call_of(name);
    let argument = call.and_then(|call| tree.argument(call, 0));
    argument
        .filter(|&one| tree.kind(one) == Kind::Attribute && *view.module.last_name(one) == *b"type")
        .and_then(|one| tree.child(one, Field::Object))
        .is_some_and(|object| {
            let role = by_name(view, &view.module.last_name(object));
            role.is_device()
        })
}
