//! Which modules may have words that are searched for one by one, by the index of the tree's words: a search of all texts
//! for a thousand words takes long.

use rustc_hash::FxHashSet;

use crate::tree::words::TreeWords;
use torchada_mapping::OperatorCalls;
use torchada_mapping::python::entry_words::EntryWords;
use torchada_text::words;

/// The files, by their indices in the project.
#[derive(Debug, Default)]
pub(super) struct EntryFiles {
    /// Those that may name a package.
    pub(super) packages: FxHashSet<u32>,
    /// Those that may call a function whose operator is missing.
    pub(super) functions: FxHashSet<u32>,
}

impl EntryFiles {
    pub(super) fn of(tree: &TreeWords, entry_words: &EntryWords, calls: &OperatorCalls) -> Self {
        let with = |word: &[u8]| tree.files_with(word).iter().copied();
        // In front of a package's name stands what begins an import; only its first part need be a word.
        let begins = |word: &&[u8]| !matches!(*word, b"import" | b"from");
        let packages = entry_words.of_packages();
        let names = packages.filter_map(|text| words(text.as_bytes()).find(begins));
        let names: FxHashSet<&[u8]> = names.collect();
        let functions = calls.functions().iter();
        Self {
            packages: names.into_iter().flat_map(with).collect(),
            functions: functions.flat_map(|name| with(name.as_bytes())).collect(),
        }
    }
}
