//! Which variables of `CMake`'s only one file gives values, so that what they hold there is known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::Tree;
use crate::mapping::builds::Reach;
use crate::mapping::files::BuildLanguage;
use crate::syntax::cmake::Cmake;

/// Variables by who gives them values.
#[derive(Default, Debug)]
pub(super) struct Names {
    /// The file that gives a variable its values, where it is one file alone.
    only: FxHashMap<Vec<u8>, Option<usize>>,
    /// Those that functions and macros give values, and those that are handed to `cmake` on its command line.
    elsewhere: FxHashSet<Vec<u8>>,
}

impl Names {
    /// The variables of a tree.
    pub(super) fn new(tree: Tree<'_>, table: &Reach) -> Self {
        let mut names = Self::default();
        for (index, text) in tree.cmake_texts() {
            if let Some(file) = tree.cmake(index) {
                names.gather(index, text, file, table);
            }
        }
        for file in tree.files {
            let is_cmake = file.class.language == Some(BuildLanguage::CMake);
            let text = file.text.as_deref().filter(|_| !file.class.kind.is_cpp());
            if let Some(text) = text.filter(|_| !is_cmake) {
                for at in memchr::memmem::find_iter(text, b"-D") {
                    let name = text.get(at + 2..).unwrap_or_default();
                    let length = name.iter().take_while(|&&byte| is_part(byte)).count();
                    names
                        .elsewhere
                        .insert(name.get(..length).unwrap_or_default().to_vec());
                }
            }
        }
        names
    }

    fn gather(&mut self, index: usize, text: &[u8], file: &Cmake, table: &Reach) {
        for (at, command) in file.commands.iter().enumerate() {
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
            let mut openers = file.blocks(at).filter_map(|at| file.commands.get(at));
            let in_function = openers.any(|one| matches!(one.lower_name(), "function" | "macro"));
            if in_function {
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

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
