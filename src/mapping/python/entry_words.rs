//! Words of other tables for which a module is looked at, besides those of `mappings/python_values.toml`.

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::word_list::{WordList, is_part};

/// A word that names a package, as an import or a text does. No identifier goes on behind it: `import fla` is not in
/// `import flask`.
#[derive(Clone, Debug)]
pub struct PackageWord {
    /// The word.
    pub text: String,
    /// The package.
    pub package: String,
}

/// The words, with what searches for them.
#[derive(Debug, Default)]
pub struct EntryWords {
    plain: WordList,
    packages: Vec<PackageWord>,
    search: WordList,
}

impl EntryWords {
    /// Words that name nothing, and those that name packages.
    pub fn new(
        plain: impl IntoIterator<Item = String>,
        packages: impl IntoIterator<Item = PackageWord>,
    ) -> Self {
        let packages: Vec<PackageWord> = packages.into_iter().collect();
        Self {
            plain: WordList::new(plain),
            search: WordList::new(packages.iter().map(|one| one.text.clone())),
            packages,
        }
    }

    /// The words that name none of these packages, which a tree has itself.
    #[must_use]
    pub fn beside(&self, own_packages: &FxHashSet<String>) -> Self {
        let is_others = |word: &&PackageWord| !own_packages.contains(&word.package);
        let others = self.packages.iter().filter(is_others);
        Self::new(self.plain.words().iter().cloned(), others.cloned())
    }

    /// The words that name no package.
    pub fn plain(&self) -> &[String] {
        self.plain.words()
    }

    /// The words that name packages.
    pub fn of_packages(&self) -> impl Iterator<Item = &str> {
        self.packages.iter().map(|one| one.text.as_str())
    }

    /// Where words start in a text. `packages` are those of the words that name packages which the text may have, by their
    /// places in the list, where that is known. What searches for all of them is made where somebody asks for a place of theirs.
    pub(super) fn places<'a>(
        &'a self,
        text: &'a [u8],
        packages: Option<&'a [u32]>,
    ) -> impl Iterator<Item = usize> + 'a {
        let known = packages.into_iter().flatten();
        let known = known.filter_map(|&at| self.packages.get(at as usize));
        let known = known.flat_map(move |word| {
            let starts = memmem::find_iter(text, &word.text);
            starts.map(|start| (start, start + word.text.len()))
        });
        let searched = packages.is_none().then_some(text).into_iter();
        let found = searched.flat_map(|text| self.search.overlapping(text));
        let found = known.chain(found.map(|(_, start, end)| (start, end)));
        let named = found.filter_map(|(start, end)| {
            let goes_on = text.get(end).copied().is_some_and(is_part);
            (!goes_on).then_some(start)
        });
        self.plain.places(text).chain(named)
    }
}
