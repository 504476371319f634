//! Where the programs and packages of a tree start: the modules that are loaded before anything is asked of them.

use super::index::ModuleIndex;
use super::names::INIT;
use super::startup::Startup;
use crate::mapping::effort::Effort;
use crate::mapping::packages::{Packages, ScriptTable};
use crate::project::paths::folder;

/// The module that `python -m package` runs.
const MAIN: &str = "__main__.py";

impl ModuleIndex<'_> {
    pub(super) fn startup(&self) -> &Startup {
        self.startup.get_or_init(|| {
            Startup::of(&starts(self), |at| {
                self.graph.needed.get(at).map_or(&[][..], Vec::as_slice)
            })
        })
    }

    /// The top package that a file belongs to, where the start of a package or a program loads the file.
    pub fn loaded_package(&self, at: usize) -> Option<String> {
        let name = || self.module_name(at);
        let root = |name: String| Some(name.split('.').next()?.to_owned());
        self.startup().contains(at).then(name).and_then(root)
    }
}

/// The modules that a tree starts with: those of its packages, then modules that are programs by themselves, and those of
/// the programs that an installation makes.
fn starts(index: &ModuleIndex<'_>) -> Vec<usize> {
    let effort = Effort::builtin();
    let table = &Packages::builtin().scripts;
    let mut found = Vec::new();
    let mut programs = Vec::new();
    for (at, file) in index.files.iter().enumerate() {
        let Some(file) = file.as_ref().filter(|one| !effort.is_auxiliary(one.path)) else {
            continue;
        };
        if index.paths.is_top_package(file.path) {
            found.push(at);
            let main = file.path.replace(INIT, MAIN);
            found.extend(index.paths.file_at(&main));
        } else if file.outline.is_program && index.paths.is_package(folder(file.path)) {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            let mut words = name.trim_end_matches(".py").split('_');
            if words.any(|word| table.programs.iter().any(|one| one == word)) {
                programs.push(at);
            }
        }
    }
    found.append(&mut programs);
    for file in &index.project.files {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let text = file.text.as_deref().filter(|_| {
            table.files.iter().any(|one| one == name) && !effort.is_auxiliary(&file.path)
        });
        let Some(text) = text.and_then(|text| std::str::from_utf8(text).ok()) else {
            continue;
        };
        for module in modules_of_scripts(text, table) {
            let walked = index.paths.resolve(&file.path, module, &index.foreign);
            found.extend(walked.into_iter().flat_map(|walked| walked.modules));
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    found.retain(|&at| seen.insert(at));
    found
}

/// The modules of the programs that a description of a package lists: `serve = "package.cli:main"` in a table of scripts.
fn modules_of_scripts<'t>(text: &'t str, table: &ScriptTable) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut is_list = false;
    for line in text.lines() {
        let line = line.trim();
        let heads = |line: &str| table.heads.iter().any(|head| line.contains(head.as_str()));
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
                found.push(module);
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
            assert_eq!(modules_of_scripts(text, table), expected, "{text}");
        }
    }
}
