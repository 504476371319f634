//! What the files of `CMake`'s hand to compilers, and why no build for MUSA does so.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::cause::{Absence, either};
use super::set_in_one_file::SetInOneFile;
use super::switches::Switches;
use super::value::Origin;

/// A word, and the folder of the build that it is handed on in.
pub type Word = (Arc<str>, Arc<str>);

/// What the files of a tree hand on, each with why no build for MUSA does.
#[derive(Default, Debug)]
pub struct HandedFiles {
    /// Words that may be sources.
    pub words: BTreeMap<Word, Absence>,
    /// Macros that are defined.
    pub macros: BTreeMap<Arc<str>, Absence>,
    /// Words that are installed.
    pub installed: BTreeSet<Word>,
}

/// What is asked of a walk besides the sources of targets.
#[derive(Debug)]
pub(super) struct HandedBuilder<'a> {
    /// Variables that only one file gives values.
    pub(super) own: &'a SetInOneFile,
    /// Options that no build for MUSA turns on.
    pub(super) switches: &'a Switches,
    /// The lowest of CUDA's architectures whose code no build for MUSA has.
    pub(super) newest: u32,
    handed: HandedFiles,
    /// Words that a variable gets, by where they stand.
    words_of_variables: BTreeMap<(Origin, Word), Absence>,
    /// Where words stand that are handed on.
    used: FxHashSet<Origin>,
    /// How many words are noted, and whether there are more.
    most: usize,
    is_full: bool,
}

impl<'a> HandedBuilder<'a> {
    pub(super) fn new(
        own: &'a SetInOneFile,
        switches: &'a Switches,
        newest: u32,
        most: usize,
    ) -> Self {
        Self {
            own,
            switches,
            newest,
            handed: HandedFiles::default(),
            words_of_variables: BTreeMap::new(),
            used: FxHashSet::default(),
            most,
            is_full: false,
        }
    }

    /// Note a word that is handed on, and where it stands.
    pub(super) fn hand(&mut self, origin: Option<Origin>, word: Word, absence: Absence) {
        self.used.extend(origin);
        if is_file(&word) && !self.is_full {
            put(&mut self.handed.words, word, absence);
            self.is_full |= self.handed.words.len() > self.most;
        }
    }

    /// Note a word that a variable gets.
    pub(super) fn keep(&mut self, origin: Origin, word: Word, absence: Absence) {
        if is_file(&word) && !self.is_full {
            put(&mut self.words_of_variables, (origin, word), absence);
            self.is_full |= self.words_of_variables.len() > self.most;
        }
    }

    /// Note a macro that is defined.
    pub(super) fn define(&mut self, name: &str, absence: Absence) {
        put(&mut self.handed.macros, name.into(), absence);
    }

    /// Note a word that is installed.
    pub(super) fn install(&mut self, word: Word) {
        self.handed.installed.insert(word);
    }

    /// All that is handed on; `None` where it is too much. What nothing is seen to hand on may be, under the conditions that
    /// its variable gets it.
    pub(super) fn finish(mut self) -> Option<HandedFiles> {
        for ((origin, word), absence) in self.words_of_variables {
            // A word without a known ending names no file by itself.
            if !self.used.contains(&origin) && !word.1.ends_with('}') {
                put(&mut self.handed.words, word, absence);
            }
        }
        (!self.is_full).then_some(self.handed)
    }
}

/// Whether a word may be the name of a file: it has an ending.
fn is_file((_, text): &Word) -> bool {
    text.contains('.')
}

/// Note what comes about in one more way.
fn put<K: Ord>(known: &mut BTreeMap<K, Absence>, key: K, absence: Absence) {
    let known = known.entry(key).or_insert_with(|| absence.clone());
    *known = either(known.take(), absence);
}
