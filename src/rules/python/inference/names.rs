//! What a name says that it holds: `device`, `dist_backend`.

use super::role::StringRole;
use crate::mapping::ValueKind;
use crate::rules::python::ModuleView;
use crate::syntax::python::NodeId;

/// What something holds that has this name.
pub fn by_name(view: &ModuleView<'_>, name: &[u8]) -> StringRole {
    let values = view.python_values();
    for kind in [ValueKind::Device, ValueKind::Backend, ValueKind::Other] {
        if values.holds(name, kind) {
            return StringRole::Known(kind);
        }
    }
    StringRole::Unknown
}

/// What a function returns that has this name: `get_device`, `default_device`, `_device_type`.
pub(super) fn returned(view: &ModuleView<'_>, name: NodeId) -> StringRole {
    let name = view.module.last_name(name);
    by_name(view, name.strip_prefix(b"get_").unwrap_or(&name))
}
