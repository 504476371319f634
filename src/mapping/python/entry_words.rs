//! Words of other tables for which a module is looked at, besides those of `mappings/python_values.toml`.

use rustc_hash::FxHashSet;

use crate::word_list::WordList;

/// A word of another table for which a file is looked at.
#[derive(Debug)]
pub struct EntryWord {
    /// The word.
    pub text: String,
    /// The package that the word names, as an import does.
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

/// The words, each with the package that it names.
#[derive(Debug, Default)]
pub struct EntryWords {
    words: WordList,
    packages: Vec<Option<String>>,
}

impl EntryWords {
    /// Whether a text has a word that names none of these packages.
    pub(super) fn are_in(&self, text: &[u8], own_packages: &FxHashSet<String>) -> bool {
        let is_foreign = |at: usize| {
            let package = self.packages.get(at).and_then(Option::as_ref);
            package.is_none_or(|package| !own_packages.contains(package))
        };
        // Most texts have none of the words, and most trees no packages of their own.
        self.words.is_in(text)
            && (own_packages.is_empty() || self.words.has_one_in(text, is_foreign))
    }
}

impl FromIterator<EntryWord> for EntryWords {
    fn from_iter<I: IntoIterator<Item = EntryWord>>(words: I) -> Self {
        let both = words.into_iter().map(|one| (one.text, one.package));
        let (texts, packages): (Vec<String>, _) = both.unzip();
        Self {
            words: WordList::new(texts),
            packages,
        }
    }
}
