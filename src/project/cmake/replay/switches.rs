//! Options of `CMake`'s that no build for MUSA turns on: they are off unless somebody asks, and look for a package that
//! only CUDA has.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cause::Cause;
use super::tree::BuildTree;
use super::value::is_false;
use torchada_mapping::builds::Reach;
use torchada_syntax::cmake::{Cmake, Command};
use torchada_syntax::cmake_references::read_variable;

/// The options that stay off in a build for MUSA, and the variables that say that a package was found which only CUDA
/// has.
#[derive(Default, Debug)]
pub(super) struct Switches {
    off: FxHashMap<String, Cause>,
}

/// What the files of a tree say of options.
#[derive(Default)]
struct Mentions {
    /// Options that are off.
    off: FxHashSet<String>,
    /// Variables that are turned on somewhere.
    on: FxHashSet<String>,
    /// Options called after packages that only CUDA has, where they are asked for, each behind its package.
    named: Vec<(String, Vec<String>)>,
    /// Packages that only CUDA has, each with the options that it is looked for under, one time after another.
    sought: Vec<(String, Vec<String>)>,
}

impl Switches {
    /// The switches of a tree.
    pub(super) fn new(tree: &BuildTree<'_>, table: &Reach) -> Self {
        let mut mentions = Mentions::default();
        for (_, file) in tree.cmake() {
            mentions.gather(file.text, file.commands, table);
        }
        let mut switches = Self::default();
        let is_off = |name: &String| mentions.off.contains(name) && !mentions.on.contains(name);
        for (package, options) in mentions.sought.iter().chain(&mentions.named) {
            let is_its = |name: &&String| is_off(name) && is_called_after(name, package);
            for name in options.iter().filter(is_its) {
                switches.put(name, name, package);
            }
        }
        for (package, _) in &mentions.sought {
            let mut times = mentions.sought.iter().filter(|(other, _)| other == package);
            let is_its = |name: &&String| is_off(name) && is_called_after(name, package);
            let option = |names: &'_ [String]| names.iter().find(is_its).cloned();
            let first = times.clone().find_map(|(_, names)| option(names));
            if let Some(first) = first
                && times.all(|(_, names)| option(names).is_some())
            {
                for found in [package.clone(), package.to_uppercase()] {
                    switches.put(&format!("{found}_FOUND"), &first, package);
                }
            }
        }
        switches
    }

    fn put(&mut self, name: &str, option: &str, package: &str) {
        let cause = Cause::Switch {
            option: option.to_owned(),
            package: package.to_owned(),
        };
        self.off.entry(name.to_owned()).or_insert(cause);
    }

    /// Why a variable is off in builds for MUSA, if it is.
    pub(super) fn cause(&self, name: &str) -> Option<&Cause> {
        self.off.get(name)
    }
}

impl Mentions {
    fn gather(&mut self, text: &[u8], file: &Cmake, table: &Reach) {
        for command in &file.commands {
            let words = words(command, text);
            let Some(first) = words.first() else { continue };
            match command.lower_name() {
                // `tvm_option(USE_CUDNN "…" OFF)`: a project may have a command of its own for it.
                name if name.ends_with(OPTION) && words.len() > 1 => {
                    let is_off = words.get(2).is_none_or(|word| is_false(word));
                    let known = if is_off { &mut self.off } else { &mut self.on };
                    known.insert(first.clone());
                }
                "set" => {
                    let value = words.get(1).map_or("", String::as_str);
                    if !is_false(value) {
                        self.on.insert(first.clone());
                    }
                }
                "find_package" if table.cmake.cuda_packages.contains(first) => {
                    let names = conjuncts(command.at, text, file);
                    self.sought.push((first.clone(), names));
                }
                // An option that is called after a package is no use without it, whoever looks for the package.
                "if" | "elseif" => {
                    let packages = table.cmake.cuda_packages.iter();
                    let after = packages.filter_map(|package| {
                        let mut parts = read_variable(first).split('_');
                        let is_whole = parts.any(|part| part.eq_ignore_ascii_case(package));
                        is_whole.then(|| package.clone())
                    });
                    let options = vec![read_variable(first).to_owned()];
                    let sought = after.take(1).map(|package| (package, options.clone()));
                    self.named.extend(sought);
                }
                _ => {}
            }
        }
    }
}

/// Whether an option is there for a package: `ENABLE_CUDNN`, and not `ENABLE_CUDA`, which is asked for together with it.
fn is_called_after(option: &str, package: &str) -> bool {
    let option = option.to_uppercase();
    option.contains(&package.to_uppercase())
}

/// The variables that all have to hold where a command is reached.
fn conjuncts(at: usize, text: &[u8], file: &Cmake) -> Vec<String> {
    let mut found = Vec::new();
    for block in file.blocks(at).filter_map(|at| file.commands.get(at)) {
        let words = words(block, text);
        let is_plain =
            matches!(block.lower_name(), "if" | "elseif") && !words.iter().any(|word| word == "OR");
        if !is_plain {
            continue;
        }
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            if before.is_none_or(|before| before == "AND") {
                found.push(read_variable(word).to_owned());
            }
        }
    }
    found
}

/// How the names of commands end that declare an option: `option`, `cmake_dependent_option`.
const OPTION: &str = "option";

fn words(command: &Command, text: &[u8]) -> Vec<String> {
    let words = command.arguments.iter().map(|one| one.inner.of(text));
    words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}
