//! The role that a name shows by its words: `device`, `dist_backend`.

use super::StringRole;
use super::own_names::is_own_name_of_device;
use crate::python::ModuleView;
use torchada_mapping::{PythonValues, ValueKind};
use torchada_syntax::python::NodeId;

/// What something holds that has this name, or to whose name the module gives a device's meaning.
pub fn by_name(view: &ModuleView<'_>, name: &[u8]) -> StringRole {
    let values = view.python_values();
    if let Some(kind) = kind_of_name(values, name) {
        return StringRole::Known(kind);
    }
    if is_own_name_of_device(view, name) {
        return StringRole::Known(ValueKind::Device);
    }
    StringRole::Unknown
}

/// What a value is that has this key. Of a path of keys, `model.device`, the last part tells, but a short one, which ends the
/// name of a host, too: `gpu1.example.dev`.
pub fn by_key_path(view: &ModuleView<'_>, key: &[u8]) -> StringRole {
    let Some(dot) = key.iter().rposition(|&byte| byte == b'.') else {
        return by_name(view, key);
    };
    let is_word = |part: &[u8]| {
        let front = part.first().is_some_and(|first| !first.is_ascii_digit());
        front
            && part
                .iter()
                .all(|one| matches!(one, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    let last = key.get(dot + 1..).unwrap_or_default();
    if last.len() <= ENDING_OF_HOST || !key.split(|&byte| byte == b'.').all(is_word) {
        return StringRole::Unknown;
    }
    kind_of_name(view.python_values(), last).map_or(StringRole::Unknown, StringRole::Known)
}

/// How long the last parts of hosts' names are at most that could be words for devices.
const ENDING_OF_HOST: usize = 4;

fn kind_of_name(values: &PythonValues, name: &[u8]) -> Option<ValueKind> {
    let kinds = [ValueKind::Device, ValueKind::Backend, ValueKind::Other];
    kinds.into_iter().find(|&kind| values.holds(name, kind))
}

/// What a function returns that has this name: `get_device`, `default_device`, `_device_type`.
pub fn returned(view: &ModuleView<'_>, name: NodeId) -> StringRole {
    let name = view.module.last_name(name);
    by_name(view, name.strip_prefix(b"get_").unwrap_or(&name))
}
