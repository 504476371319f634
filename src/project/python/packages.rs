//! Packages for NVIDIA's GPUs that a tree holds itself.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::names::folder_of_start;
use crate::Input;
use crate::tree::file_text::FileText;
use crate::tree::paths;
use torchada_classify::FileKind;
use torchada_mapping::python::packages::Packages;
use torchada_syntax::python::ModuleOutline;
use torchada_text::first_part;

/// Packages for CUDA that the tree holds itself, by their first names: those that are in no other
/// package, and extensions that its `setup.py` builds. The tree itself may be one, by the name of its folder.
pub(crate) fn own_packages(inputs: &[Input], folder: &str) -> FxHashSet<String> {
    let table = Packages::builtin();
    let roots: BTreeSet<&str> = table.imports().map(first_part).collect();
    let packages: FxHashSet<&str> = inputs
        .iter()
        .filter_map(|input| folder_of_start(&input.path))
        .collect();
    let python = inputs
        .iter()
        .filter(|input| input.class.kind == FileKind::Python);
    let modules = python.filter_map(|input| {
        let module = match folder_of_start(&input.path) {
            Some(folder) => folder,
            None => input.path.strip_suffix(".py")?,
        };
        let (around, name) = module.rsplit_once('/').unwrap_or(("", module));
        // What lies in a package is reached through its name alone.
        (!packages.contains(around) && roots.contains(name) && !is_another(input, name))
            .then(|| name.to_owned())
    });
    let mut own: FxHashSet<String> = modules.collect();
    // It comes with the others that are installed together with it.
    if packages.contains("")
        && let Some((package, _)) = table.holding(folder)
    {
        own.extend(package.import.iter().cloned());
    }
    let builds = inputs
        .iter()
        .filter(|input| paths::file_name(&input.path) == BUILD)
        .filter_map(|input| input.text.as_deref());
    let made = builds.flat_map(extensions);
    own.extend(made.filter(|name| roots.contains(name.as_str())));
    own
}

/// Whether a module imports the package whose name it has, `from tensorrt_llm import LLM` in `modules/tensorrt_llm.py`: it is
/// another one, which is not found by that name alone.
fn is_another(input: &Input, name: &str) -> bool {
    let text = input.text.as_ref().map(FileText::once).unwrap_or_default();
    folder_of_start(&input.path).is_none() && imports_package(&ModuleOutline::new(&text), name)
}

/// Whether a module imports a package, or something of it, by the package's name.
pub(super) fn imports_package(outline: &ModuleOutline<'_>, package: &str) -> bool {
    let mut imports = outline.imports.iter();
    imports.any(|one| first_part(one.module) == package)
}

/// The module that builds a package, and what stands before the names of its extensions.
const BUILD: &str = "setup.py";
const FRONTS: [&str; 2] = ["Extension(", "Extension(name="];

/// The first names of the modules that have the extensions which a `setup.py` builds: `CUDAExtension("module._C", …)`.
pub(crate) fn extensions(text: &[u8]) -> Vec<String> {
    let packed: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let packed = String::from_utf8_lossy(&packed);
    let names = FRONTS.iter().flat_map(|front| {
        let behind = packed.split(front).skip(1);
        behind.filter_map(|rest| rest.strip_prefix(['"', '\'']))
    });
    let first = |rest: &str| Some(rest.get(..rest.find(['.', '"', '\''])?)?.to_owned());
    names.filter_map(first).collect()
}
