//! The role that a name shows by its words: `device`, `dist_backend`.

use super::StringRole;
use super::own_names::is_own_name_of_device;
use crate::python::ModuleView;
use torchada_mapping::ValueKind;
use torchada_syntax::python::NodeId;

/// What something holds that has this name, or to whose name the module gives a device's meaning. Of a dotted key,
/// `model.device`, the last part tells.
pub fn by_name(view: &ModuleView<'_>, name: &[u8]) -> StringRole {
    let values = view.python_values();
    let name = name.rsplit(|&byte| byte == b'.').next().unwrap_or(name);
    for kind in [ValueKind::Device, ValueKind::Backend, ValueKind::Other] {
        if values.holds(name, kind) {
            return StringRole::Known(kind);
        }
    }
    if is_own_name_of_device(view, name) {
        return StringRole::Known(ValueKind::Device);
    }
    StringRole::Unknown
}

/// What a function returns that has this name: `get_device`, `default_device`, `_device_type`.
pub fn returned(view: &ModuleView<'_>, name: NodeId) -> StringRole {
    let name = view.module.last_name(name);
    by_name(view, name.strip_prefix(b"get_").unwrap_or(&name))
}
