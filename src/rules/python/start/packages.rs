//! Programs that need no `import torchada`, because a package of the tree that they load has it.

use rustc_hash::{FxHashMap, FxHashSet};

use torchada_project::Context;
use torchada_project::python::Modules;

/// Whether packages that a program loads import the package for run time before anything is asked for CUDA's device: the
/// program says nothing of CUDA's itself, and whatever does so lies in such a package. `starts`: whether a package is one.
pub(super) fn start_runtime(
    modules: &Modules<'_>,
    program: usize,
    context: Context<'_>,
    starts: &dyn Fn(usize) -> bool,
) -> bool {
    if modules.may_matter(program, context) {
        return false;
    }
    let is_one = |package: usize| {
        modules.loads_torch(package) && starts(package)
            || imports_runtime(modules, package, context)
    };
    let mut known = FxHashMap::default();
    let mut seen = FxHashSet::from_iter([program]);
    let mut open = vec![program];
    let mut is_loaded = false;
    let own = &context.knowledge.python_values.entry.import;
    let is_own = |at: usize| {
        let inside = modules.path(at).strip_prefix(own.as_str());
        inside.is_some_and(|rest| rest.starts_with('/'))
    };
    while let Some(at) = open.pop() {
        // The package for run time itself lies in a port.
        for to in modules.imported(at).filter(|&to| !is_own(to)) {
            if let Some(package) = package_of(modules, at, to, &is_one, &mut known) {
                is_loaded |= at == program && modules.needs(program, package);
            } else if modules.touches_device(to) {
                return false;
            } else if seen.insert(to) {
                open.push(to);
            }
        }
    }
    is_loaded
}

/// The package around a module that imports the package for run time, if `from` loads it before the module.
fn package_of(
    modules: &Modules<'_>,
    from: usize,
    module: usize,
    is_one: &dyn Fn(usize) -> bool,
    known: &mut FxHashMap<usize, bool>,
) -> Option<usize> {
    let ends = modules.path(module).match_indices('/');
    let mut folders = ends.filter_map(|(end, _)| modules.path(module).get(..end));
    folders.find_map(|folder| {
        let package = modules.package_start(folder)?;
        let starts = modules.imports(from, package)
            && *known.entry(package).or_insert_with(|| is_one(package));
        starts.then_some(package)
    })
}

/// Whether a package imports the package for run time already, as one does that was ported.
fn imports_runtime(modules: &Modules<'_>, package: usize, context: Context<'_>) -> bool {
    let name = &context.knowledge.python_values.entry.import;
    let outline = modules.outline(package);
    let mut imports = outline.into_iter().flat_map(|one| &one.imports);
    imports.any(|one| one.module == *name)
}
