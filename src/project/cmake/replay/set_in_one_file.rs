//! Which variables of `CMake`'s only one file gives values, so that what they hold there is known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::BuildTree;
use crate::FileText;
use torchada_mapping::builds::Reach;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Cmake;
use torchada_syntax::defined_names;

/// Variables by who gives them values.
#[derive(Default, Debug)]
pub(super) struct SetInOneFile {
    /// The file that gives a variable its values, where it is one file alone.
    only: FxHashMap<Vec<u8>, Option<usize>>,
    /// The variables that functions and macros give values, and those that are handed to `cmake` on its command line.
    elsewhere: FxHashSet<Vec<u8>>,
}

impl SetInOneFile {
    /// The variables of a tree. `others` are the texts of files that may start `CMake`.
    pub(super) fn new(tree: &BuildTree<'_>, others: &[&FileText], table: &Reach) -> Self {
        let mut own = Self::default();
        for (index, file) in tree.cmake() {
            own.gather(index, file.text, file.commands, table);
        }
        let elsewhere = parallel::flat_map(others, |text| {
            let text = text.once();
            let names = defined_names(&text).map(|name| name.of(&text).to_vec());
            names.collect::<Vec<_>>()
        });
        own.elsewhere.extend(elsewhere);
        own
    }

    fn gather(&mut self, index: usize, text: &[u8], file: &Cmake, table: &Reach) {
        for command in &file.commands {
            let word = |place: usize| Some(command.arguments.get(place)?.inner.of(text));
            let name = match command.lower_name() {
                "set" | "foreach" | "option" | "cmake_dependent_option" => word(0),
                "list" | "file" => word(1),
                other => {
                    let mut rows = table.cmake.choosing.iter();
                    let row = rows.find(|row| row.command == other);
                    row.and_then(|row| word(row.result))
                }
            };
            let Some(name) = name else { continue };
            if file.function_around(command.at).is_some() {
                self.elsewhere.insert(name.to_vec());
            }
            let known = self.only.entry(name.to_vec()).or_insert(Some(index));
            if *known != Some(index) {
                *known = None;
            }
        }
    }

    /// Whether no other file gives the variable a value, and no function does.
    pub(super) fn is_own(&self, name: &str, index: usize) -> bool {
        let name = name.as_bytes();
        self.only.get(name) == Some(&Some(index)) && !self.elsewhere.contains(name)
    }
}
