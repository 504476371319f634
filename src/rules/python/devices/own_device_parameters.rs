//! Devices that functions of the tree's hand to packages with devices of their own.

use super::own_device_objects::{called_package, may_use};
use crate::python::ModuleView;
use crate::python::inference::callee::{callees, definition_of};
use crate::python::inference::in_scope;
use torchada_mapping::OwnDevices;
use torchada_project::python::ArgumentPlace;
use torchada_syntax::python::{Consumer, Field, Use};

/// The package that a function of the tree's hands the argument to: `load(path, device="cuda")`, where `load` makes a
/// `WhisperModel(path, device=device)`.
pub fn by_own_function<'u>(unit: &ModuleView<'u>, of: &Use) -> Option<&'u OwnDevices> {
    let keyword;
    let (call, place) = match of.consumer {
        Consumer::Keyword { call, name } => {
            keyword = String::from_utf8_lossy(unit.module.tree.word(name));
            (call, ArgumentPlace::Keyword(&keyword))
        }
        Consumer::Argument {
            call,
            position: Some(position),
        } => (call, ArgumentPlace::Position(position)),
        _ => return None,
    };
    callees(unit, call).into_iter().find_map(|callee| {
        let (other, function) = definition_of(unit, callee).filter(|_| !callee.fields)?;
        let mut rows = unit.python_values().own_devices.iter();
        rows.find(|row| may_use(&other, row))?;
        let parameter = unit.modules.parameter(callee, place)?;
        let body = other.module.tree.child(function, Field::Body)?;
        let scope = other.module.scope_of(body);
        let mut found = None;
        in_scope(&other, scope, parameter.name().as_bytes(), &mut |node| {
            let call = other.module.use_of(node).consumer.call();
            found = found.or_else(|| called_package(&other, call?));
        });
        found
    })
}
