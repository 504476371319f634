//! Which modules may have the words for which modules are looked at, by the index of the tree's words: to search all texts for
//! them takes long.

use rustc_hash::FxHashSet;

use crate::{Context, Project};
use torchada_text::words;

/// Files, by their indices in the project.
#[derive(Debug, Default)]
pub(super) struct EntryFiles {
    /// Those that may have a word by itself, or as a part of another one.
    plain: FxHashSet<u32>,
    /// Those that may name a package.
    packages: FxHashSet<u32>,
    /// Those that may call a function whose operator is missing.
    functions: FxHashSet<u32>,
}

/// What a text may have, for which modules are looked at.
#[derive(Clone, Copy, Debug)]
pub struct MayHave {
    /// A word by itself, or as a part of another one.
    pub(crate) plain: bool,
    /// A name of a package.
    pub(crate) packages: bool,
    /// A call of a function whose operator is missing.
    pub(crate) functions: bool,
}

impl MayHave {
    /// Nothing is known of the text.
    pub(crate) const ALL: Self = Self {
        plain: true,
        packages: true,
        functions: true,
    };
}

impl EntryFiles {
    pub(super) fn of(project: &Project, context: Context<'_>) -> Self {
        let (tree, entry_words) = (&*project.python_words, &project.python_entry_words);
        let with = |word: &[u8]| tree.files_with(word).iter().copied();
        // In front of a package's name stands what begins an import; only its first part need be a word.
        let begins = |word: &&[u8]| !matches!(*word, b"import" | b"from");
        let packages = entry_words.of_packages();
        let names = packages.filter_map(|text| words(text.as_bytes()).find(begins));
        let names: FxHashSet<&[u8]> = names.collect();
        let functions = context.tables.operator_calls().functions().iter();
        let values = context.knowledge.python_values.words.words().iter();
        let plain = values.chain(entry_words.plain());
        Self {
            plain: plain
                .flat_map(|word| tree.files_that_may_contain(word.as_bytes()))
                .collect(),
            packages: names.into_iter().flat_map(with).collect(),
            functions: functions.flat_map(|name| with(name.as_bytes())).collect(),
        }
    }

    /// What a file of the tree may have.
    pub(super) fn of_file(&self, file: u32) -> MayHave {
        MayHave {
            plain: self.plain.contains(&file),
            packages: self.packages.contains(&file),
            functions: self.functions.contains(&file),
        }
    }
}
