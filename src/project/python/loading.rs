//! What the tree's modules need to be loaded of packages from outside that are made for CUDA.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::index::ModuleIndex;
use super::package_needs::{ImportPlace, Loading, PackageNeed};
use crate::tree::paths::folder;
use torchada_mapping::effort::Effort;
use torchada_mapping::python::packages::Packages;
use torchada_mapping::python::{INIT, is_package_start};
use torchada_syntax::python::{Guard, Imported};
use torchada_text::first_part;

impl ModuleIndex<'_> {
    /// What the tree needs a package for, by the package's name in the table.
    pub fn need(&self, package: &str) -> Option<&PackageNeed> {
        self.loading.get_or_init(|| loading(self)).of(package)
    }
}

fn loading(index: &ModuleIndex<'_>) -> Loading {
    let outer = outer_imports(index);
    let mut loading = Loading::default();
    let mut seeds: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for (at, imports) in outer.iter().enumerate() {
        for &(_, package) in imports {
            seeds.entry(package).or_default().push(at);
        }
    }
    let dependents = dependents(index);
    for (package, seeds) in seeds {
        loading.entry(package).lost = reached(&dependents, seeds);
    }
    for (package, chain) in chains(index, &outer) {
        loading.entry(package).chain = chain;
    }
    loading
}

/// For each file the imports of packages of the table without which it can't be loaded, in their order.
fn outer_imports(index: &ModuleIndex<'_>) -> Vec<Vec<(usize, &'static str)>> {
    let table = Packages::builtin();
    let effort = Effort::builtin();
    let roots: FxHashSet<&str> = table.imports().map(first_part).collect();
    let own = &index.project.python_packages;
    let package = |one: &Imported<'_>| {
        let root = first_part(one.module);
        if one.guard != Guard::Nothing || !roots.contains(root) || own.contains(root) {
            return None;
        }
        let inner = || table.holding(&format!("{}.{}", one.module, one.member?));
        let (package, _) = table.holding(one.module).or_else(inner)?;
        Some((one.at, package.name()))
    };
    let files = index.files.iter().map(|file| {
        let file = file.as_ref().filter(|one| !effort.is_auxiliary(one.path));
        let outlines = file.into_iter().map(|one| &one.outline);
        let imports = outlines.flat_map(|one| one.imports.iter().chain(&one.stars));
        let mut found: Vec<_> = imports.filter_map(package).collect();
        found.sort_unstable();
        found.dedup();
        found
    });
    files.collect()
}

/// For each file those that can't be loaded without it: those that import it, and, for a package, its modules.
fn dependents(index: &ModuleIndex<'_>) -> Vec<Vec<usize>> {
    let effort = Effort::builtin();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); index.files.len()];
    for (from, needed) in index.graph.needed.iter().enumerate() {
        let Some(file) = index
            .file(from)
            .filter(|one| !effort.is_auxiliary(one.path))
        else {
            continue;
        };
        let own = folder(file.path);
        let above = if is_package_start(file.path) {
            folder(own)
        } else {
            own
        };
        let package = if above.is_empty() && own.is_empty() && file.path == INIT {
            None
        } else {
            index.paths.file_at(&super::names::join(above, INIT))
        };
        let all = needed.iter().map(|&(to, _)| to).chain(package);
        for to in all.filter(|&to| to != from) {
            if let Some(list) = dependents.get_mut(to) {
                list.push(from);
            }
        }
    }
    dependents
}

/// The files that can't be loaded without one of some files, these among them.
fn reached(dependents: &[Vec<usize>], seeds: Vec<usize>) -> Vec<usize> {
    let mut seen: FxHashSet<usize> = seeds.iter().copied().collect();
    let mut queue = seeds;
    while let Some(at) = queue.pop() {
        for &from in dependents.get(at).map_or(&[][..], Vec::as_slice) {
            if seen.insert(from) {
                queue.push(from);
            }
        }
    }
    let mut all: Vec<usize> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The shortest ways from a start of the tree to the imports of packages.
fn chains(
    index: &ModuleIndex<'_>,
    outer: &[Vec<(usize, &'static str)>],
) -> BTreeMap<&'static str, Vec<ImportPlace>> {
    let mut found: BTreeMap<&'static str, Vec<ImportPlace>> = BTreeMap::new();
    let startup = index.startup();
    for &at in startup.loaded() {
        for &(place, package) in outer.get(at).map_or(&[][..], Vec::as_slice) {
            found
                .entry(package)
                .or_insert_with(|| startup.way_to((at, place)));
        }
    }
    found
}
