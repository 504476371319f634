//! Where the programs and packages of a tree start: the modules that are loaded before anything is asked of them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::index::ModuleIndex;
use super::names::layouts;
use super::package_needs::ImportPlace;
use super::startup::{StartedNames, Startup};
use crate::distributions::own_name;
use crate::tree::paths;
use crate::tree::paths::folder;
use torchada_mapping::effort::Effort;
use torchada_mapping::python::INIT;
use torchada_mapping::python::packages::{Packages, ScriptTable};
use torchada_mapping::{contains_one, has};
use torchada_text::first_part;

/// The module that `python -m package` runs.
const MAIN: &str = "__main__.py";

impl ModuleIndex<'_> {
    pub(super) fn startup(&self) -> &Startup {
        self.startup.get_or_init(|| {
            let (starts, by_functions) = starts(self);
            Startup::of(&starts, |at| {
                let needed = self.graph.needed.get(at).map_or(&[][..], |needed| needed);
                let more = by_functions.get(&at).map_or(&[][..], Vec::as_slice);
                needed.iter().chain(more)
            })
        })
    }

    /// The top package that a file belongs to, where the start of a package or a program loads the file. Where the tree's own
    /// description names a package that starts so, others are no packages that somebody installs.
    pub fn loaded_package(&self, at: usize) -> Option<String> {
        let root = self.loaded_at_start(at)?;
        let names = self.names.get_or_init(|| self.started_names());
        match &names.described {
            Some(described) => (*described == root).then_some(root),
            None if names.imported.contains(&root) => Some(root),
            None => self.package_of(at, &names.imported),
        }
    }

    /// The first part of the name of a module that a start loads.
    fn loaded_at_start(&self, at: usize) -> Option<String> {
        let root = || first_part(&self.module_name(at)).to_owned();
        self.startup().contains(at).then(root)
    }

    fn started_names(&self) -> StartedNames {
        let described = own_name(&self.project.files).and_then(|own| {
            // `llm-foundry` is imported as `llmfoundry`.
            let plain = |name: &str| name.replace('_', "").to_lowercase();
            let loaded = self.startup().loaded().iter();
            let mut roots = loaded.filter_map(|&one| self.loaded_at_start(one));
            roots.find(|root| plain(root) == plain(&own))
        });
        let imports = self.files.iter().flatten();
        let imports = imports.flat_map(|file| &file.outline.imports);
        let imported = imports
            .map(|one| first_part(one.module))
            .filter(|root| !root.is_empty())
            .map(str::to_owned)
            .collect();
        StartedNames {
            described,
            imported,
        }
    }

    /// The name of the outermost package that a file lies in. What only holds packages is none, and the packages in it are some
    /// where a module imports them by their own names.
    fn package_of(&self, at: usize, imported: &FxHashSet<String>) -> Option<String> {
        let path = self.file(at)?.path;
        if let Some(root) = self.paths.root() {
            return Some(root.to_owned());
        }
        let above = std::iter::successors(Some(folder(path)), |&inner| Some(folder(inner)));
        let top = above
            .take_while(|one| !one.is_empty() && self.paths.is_package(one))
            .last()?;
        let (above, name) = top.rsplit_once('/').unwrap_or(("", top));
        let is_at_top = above.is_empty() || layouts().any(|one| one == above);
        (is_at_top || imported.contains(name)).then(|| name.to_owned())
    }
}

/// The modules that a tree starts with: those of its packages, then modules that are programs by themselves, and those of
/// the programs that an installation makes. With them, by module, the imports that the functions run which these programs call.
fn starts(index: &ModuleIndex<'_>) -> (Vec<usize>, BTreeMap<usize, Vec<ImportPlace>>) {
    let effort = Effort::builtin();
    let table = &Packages::builtin().scripts;
    let mut found = Vec::new();
    let mut programs = Vec::new();
    let mut by_functions: BTreeMap<usize, Vec<ImportPlace>> = BTreeMap::new();
    for (at, file) in index.files.iter().enumerate() {
        let Some(file) = file.as_ref().filter(|one| !effort.is_auxiliary(one.path)) else {
            continue;
        };
        if index.paths.is_top_package(file.path) {
            found.push(at);
            let main = file.path.replace(INIT, MAIN);
            found.extend(index.paths.file_at(&main));
        } else if file.outline.is_program && index.paths.is_package(folder(file.path)) {
            let name = paths::file_name(file.path);
            let mut words = name.trim_end_matches(".py").split('_');
            if words.any(|word| has(&table.programs, word)) {
                programs.push(at);
            }
        }
    }
    found.append(&mut programs);
    for file in &index.project.files {
        let name = paths::file_name(&file.path);
        let text = file
            .text
            .as_ref()
            .filter(|_| has(&table.files, name) && !effort.is_auxiliary(&file.path));
        let Some(text) = text.and_then(|text| std::str::from_utf8(text).ok()) else {
            continue;
        };
        for (module, function) in modules_of_scripts(text, table) {
            let walked = index.paths.resolve(&file.path, module, &index.foreign);
            let modules = walked.map_or_else(Vec::new, |walked| walked.modules);
            if let Some(&last) = modules.last() {
                let imports = by_functions.entry(last).or_default();
                imports.extend(imports_of(index, last, function));
            }
            found.extend(modules);
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|&at| seen.insert(at));
    (found, by_functions)
}

/// The modules of the tree's that a function at the top of a module imports whenever it is called.
fn imports_of(index: &ModuleIndex<'_>, at: usize, function: &str) -> Vec<ImportPlace> {
    let Some(file) = index.file(at) else {
        return Vec::new();
    };
    let is_its = |place: usize| {
        let head = file.outline.functions.get(place);
        head.is_some_and(|head| head.name == function)
    };
    let imports = file.outline.imports.iter();
    imports
        .filter(|one| one.function.is_some_and(is_its))
        .flat_map(|one| {
            let (to, at) = (index.imported(file.path, one), one.at);
            to.unwrap_or_default().into_iter().map(move |to| (to, at))
        })
        .collect()
}

/// The modules of the programs that a description of a package lists, each with its function: `serve = "package.cli:main"` in
/// a table of scripts.
fn modules_of_scripts<'t>(text: &'t str, table: &ScriptTable) -> Vec<(&'t str, &'t str)> {
    let mut found = Vec::new();
    let mut is_list = false;
    for line in text.lines() {
        let line = line.trim();
        let heads = |line: &str| contains_one(line, &table.heads);
        if heads(line) {
            is_list = true;
        } else if line.starts_with('[')
            || line.ends_with(['=', '['])
            || line.starts_with([']', '}'])
        {
            is_list = false;
        }
        if !is_list {
            continue;
        }
        for (at, _) in line.match_indices('=') {
            let value = line.get(at + 1..).unwrap_or_default();
            let value = value.trim_start().trim_start_matches(['"', '\'']);
            let Some((module, function)) = value.split_once(':') else {
                continue;
            };
            let is_name = |one: char| one.is_alphanumeric() || matches!(one, '_' | '.');
            let is_function = function.starts_with(|one: char| one.is_alphabetic() || one == '_');
            if !module.is_empty() && module.chars().all(is_name) && is_function {
                let end = function.find(|one| !is_name(one));
                found.push((
                    module,
                    function
                        .get(..end.unwrap_or(function.len()))
                        .unwrap_or_default(),
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_each_description_of_a_package() {
        let table = &Packages::builtin().scripts;
        for (text, expected) in [
            (
                "[project.scripts]\na = \"p.cli:main\"\nb = 'p.b:run'\n[project.entry-points.\"x\"]\nc = \"p.c:d\"\n",
                &["p.cli", "p.b"][..],
            ),
            (
                "[options.entry_points]\nconsole_scripts =\n    a = p.cli:main\nx.plugins =\n    c = p.c:d\n",
                &["p.cli"],
            ),
            (
                "setup(\n    entry_points={\n        \"console_scripts\": [\n            \"a=p.cli:main\",\n            \"b = p.b:run\",\n        ],\n        \"x\": [\"c=p.c:d\"],\n    },\n)\n",
                &["p.cli", "p.b"],
            ),
            (
                "setup(entry_points={\"console_scripts\": [\"a = p.cli:main\"]})\n",
                &["p.cli"],
            ),
        ] {
            let found = modules_of_scripts(text, table).into_iter();
            let modules: Vec<&str> = found.map(|(module, _)| module).collect();
            assert_eq!(modules, expected, "{text}");
        }
    }
}
