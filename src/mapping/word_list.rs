//! Words of a table that texts are searched for.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, Match};
use serde::{Deserialize, Serialize};

/// Words that a text may have. The automaton that searches for them is built when the first text is searched.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WordList {
    words: Vec<String>,
    #[serde(skip)]
    search: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    search_of_any_case: OnceLock<Option<AhoCorasick>>,
}

impl WordList {
    /// These words.
    pub fn new(words: impl IntoIterator<Item = String>) -> Self {
        Self {
            words: words.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The words, as the table lists them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether a text has one of the words, as a part of another word, too.
    pub fn is_in(&self, text: &[u8]) -> bool {
        // Without a search each text counts as one that has them.
        self.search().is_none_or(|search| search.is_match(text))
    }

    /// Whether a text has one of the words, which are identifiers, as a whole identifier: `weight` has no `eigh`.
    pub fn is_in_as_identifier(&self, text: &[u8]) -> bool {
        let is_part = |at: Option<usize>| {
            let byte = at.and_then(|at| text.get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        self.has_match(text, |one| {
            !is_part(one.start().checked_sub(1)) && !is_part(Some(one.end()))
        })
    }

    /// Whether a text has one of the words, as a part of another word, too, whatever the case of ASCII's letters.
    pub fn is_in_any_case(&self, text: &[u8]) -> bool {
        let search = self.search_of_any_case.get_or_init(|| {
            let mut builder = AhoCorasick::builder();
            builder.ascii_case_insensitive(true).build(&self.words).ok()
        });
        search.as_ref().is_none_or(|search| search.is_match(text))
    }

    /// Whether a text has one of those words that count, by their places in the list. Words that overlap are all looked at.
    pub(crate) fn has_one_in(&self, text: &[u8], counts: impl Fn(usize) -> bool) -> bool {
        self.has_match(text, |one| counts(one.pattern().as_usize()))
    }

    /// Whether a text has a word at a place that counts. Words that overlap are all looked at.
    fn has_match(&self, text: &[u8], counts: impl Fn(Match) -> bool) -> bool {
        self.search().is_none_or(|search| {
            let found = search.try_find_overlapping_iter(text);
            // A search that can't tell overlapping words counts as one that has found them.
            found.map_or(true, |mut found| found.any(counts))
        })
    }

    /// What searches for the words as they are; `None` where there are too many for it.
    fn search(&self) -> Option<&AhoCorasick> {
        let make = || AhoCorasick::new(&self.words).ok();
        self.search.get_or_init(make).as_ref()
    }
}
