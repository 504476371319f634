//! Words of other tables for which a module is looked at, besides those of `mappings/python_values.toml`.

use rustc_hash::FxHashSet;

use crate::word_list::{WordList, is_part};

/// A word of another table for which a file is looked at.
#[derive(Clone, Debug)]
pub struct EntryWord {
    /// The word.
    pub text: String,
    /// The package that the word names, as an import does. No identifier goes on behind such a word: `import fla` is not in
    /// `import flask`.
    pub package: Option<String>,
}

impl EntryWord {
    /// A word that names no package.
    pub fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            package: None,
        }
    }
}

/// The words, with what searches for them.
#[derive(Debug, Default)]
pub struct EntryWords {
    words: Vec<EntryWord>,
    search: WordList,
}

impl EntryWords {
    /// The words that name none of these packages, which a tree has itself.
    #[must_use]
    pub fn beside(&self, own_packages: &FxHashSet<String>) -> Self {
        let is_own = |word: &&EntryWord| {
            let package = word.package.as_ref();
            package.is_some_and(|package| own_packages.contains(package))
        };
        let others = self.words.iter().filter(|word| !is_own(word));
        others.cloned().collect()
    }

    /// Where words start in a text.
    pub(super) fn places<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        // Most texts have none, which is seen faster than which words overlap.
        let searched = if self.search.is_in(text) { text } else { b"" };
        let ends = move |word: usize, end: usize| {
            let word = self.words.get(word);
            let is_name = word.is_some_and(|one| one.package.is_some());
            !is_name || !searched.get(end).is_some_and(is_part)
        };
        let found = self.search.overlapping(searched);
        found.filter_map(move |(word, start, end)| ends(word, end).then_some(start))
    }
}

impl FromIterator<EntryWord> for EntryWords {
    fn from_iter<I: IntoIterator<Item = EntryWord>>(words: I) -> Self {
        let words: Vec<EntryWord> = words.into_iter().collect();
        let search = WordList::new(words.iter().map(|one| one.text.clone()));
        Self { words, search }
    }
}
