//! Imports of extensions that the tree builds itself, and that a port builds for MUSA.

use crate::python::ModuleView;
use crate::python::start::entry::imported_modules;
use torchada_syntax::python::NodeId;
use torchada_text::last_part;

/// Whether a statement imports an extension: a module that no file of the tree is, and whose name stands in a program that
/// builds, `from own_ops_cuda import forward` beside a `setup.py` with `name="own_ops_cuda"`.
pub(super) fn imports_built_extension(unit: &ModuleView<'_>, import: NodeId) -> bool {
    let modules = imported_modules(unit, import);
    let is_built = |name: &str| {
        let files = unit.modules.files_with(name.as_bytes()).into_iter();
        let mut paths = files.map(|file| unit.modules.path(file));
        paths.any(|path| unit.python_values().entry.is_build(path))
    };
    let mut names = modules.iter().map(|module| last_part(module));
    modules
        .iter()
        .all(|module| unit.modules.files_of(unit.index, module).is_empty())
        && names.any(|name| !name.is_empty() && is_built(name))
}
