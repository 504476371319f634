//! Which modules may have the words for which modules are looked at, by the index of the tree's words: to search all texts for
//! them takes long.

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry_hints::EntryHints;
use crate::{Context, Project};
use torchada_parallel as parallel;
use torchada_text::words;

/// Files, by their indices in the project.
#[derive(Debug, Default)]
pub(super) struct EntryFiles {
    /// The files that may have a word by itself, or as a part of another one.
    plain: FxHashSet<u32>,
    /// The words that may name packages in a file, by their places in the list.
    packages: FxHashMap<u32, Vec<u32>>,
    /// The files that may call a function whose operator is missing.
    functions: FxHashSet<u32>,
}

impl EntryFiles {
    pub(super) fn of(project: &Project, context: Context<'_>) -> Self {
        let (tree, entry_words) = (&*project.python_words, &project.python_entry_words);
        let with = |word: &[u8]| tree.files_with(word);
        // In front of a package's name stands what begins an import; only its first part need be a word.
        let begins = |word: &&[u8]| !matches!(*word, b"import" | b"from");
        let mut packages: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (text, at) in entry_words.of_packages().zip(0..) {
            let name = words(text.as_bytes()).find(begins).unwrap_or_default();
            for file in with(name) {
                packages.entry(file).or_default().push(at);
            }
        }
        let functions = context.tables.operator_calls().functions().iter();
        let values = context.knowledge.python_values.words.words().iter();
        let plain = values.chain(entry_words.plain());
        Self {
            plain: parallel::flat_map(plain, |word| tree.files_that_may_contain(word.as_bytes()))
                .into_iter()
                .collect(),
            packages,
            functions: functions.flat_map(|name| with(name.as_bytes())).collect(),
        }
    }

    /// What a file of the tree may have.
    pub(super) fn of_file(&self, file: u32) -> EntryHints<'_> {
        EntryHints {
            plain: self.plain.contains(&file),
            packages: Some(self.packages.get(&file).map_or(&[], Vec::as_slice)),
            functions: self.functions.contains(&file),
        }
    }
}
