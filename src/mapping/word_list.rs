//! Lists of words that tables have.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, Input, MatchKind};
use serde::{Deserialize, Serialize};

/// Words that a text may have. The automaton that searches for them is built when the first text is searched.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WordList {
    words: Vec<String>,
    #[serde(skip)]
    search: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    search_for_all: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    search_of_any_case: OnceLock<Option<AhoCorasick>>,
}

/// Whether a word is one of a list.
pub fn has(list: &[impl AsRef<str>], word: impl AsRef<[u8]>) -> bool {
    let word = word.as_ref();
    list.iter().any(|one| one.as_ref().as_bytes() == word)
}

/// Whether a word starts with one of a list.
pub fn starts_with_one(word: impl AsRef<[u8]>, list: &[impl AsRef<str>]) -> bool {
    let word = word.as_ref();
    list.iter()
        .any(|one| word.starts_with(one.as_ref().as_bytes()))
}

/// Whether a word ends with one of a list.
pub fn ends_with_one(word: impl AsRef<[u8]>, list: &[impl AsRef<str>]) -> bool {
    let word = word.as_ref();
    list.iter()
        .any(|one| word.ends_with(one.as_ref().as_bytes()))
}

/// Whether a text has one of a list in it.
pub fn contains_one(text: impl AsRef<[u8]>, list: &[impl AsRef<str>]) -> bool {
    let text = text.as_ref();
    list.iter()
        .any(|one| memchr::memmem::find(text, one.as_ref().as_bytes()).is_some())
}

/// Whether a part of a name, between underscores, is one of a list of words, in any case: `CUDA_FLAGS` has `flags`.
pub fn has_part(list: &[impl AsRef<str>], name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.split(|&byte| byte == b'_').any(|part| has(list, part))
}

impl WordList {
    /// A list of words that are not read from a table.
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
        self.is_in_before(text, |_| true)
    }

    /// Whether a text has one of the words as a whole identifier, behind which it goes on as `follows` wants.
    pub(crate) fn is_in_before(&self, text: &[u8], follows: impl Fn(&[u8]) -> bool) -> bool {
        self.overlapping(text).any(|(_, start, end)| {
            let front = text.get(..start).unwrap_or_default();
            let rest = text.get(end..).unwrap_or_default();
            let is_whole = !front.last().copied().is_some_and(is_part)
                && !rest.first().copied().is_some_and(is_part);
            is_whole && follows(rest)
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

    /// Where words start in a text, as parts of other words, too. Of words that overlap one is enough.
    pub(crate) fn places(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let search = self.search();
        let found = search.map(|search| search.find_iter(text).map(|one| one.start()));
        // Without a search each text counts as one that has them.
        let anywhere = search.is_none().then_some(0);
        found.into_iter().flatten().chain(anywhere)
    }

    /// Where words start and end in a text, in order. Of words that stand in each other the inner one is enough.
    pub(crate) fn spans(&self, text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
        let search = self.search();
        let mut from = 0;
        let found = std::iter::from_fn(move || {
            let rest = Input::new(text).span(from..text.len());
            let found = search?.find(rest)?;
            // The next one may begin in this one.
            from = found.start() + 1;
            Some((found.start(), found.end()))
        });
        // Without a search all of the text counts as a word.
        let whole = search.is_none().then_some((0, text.len()));
        found.chain(whole)
    }

    /// The words in a text, those that overlap among them: each by its place in the list, with where it starts and ends in
    /// the text.
    pub fn overlapping(&self, text: &[u8]) -> impl Iterator<Item = (usize, usize, usize)> {
        let make = || AhoCorasick::new(&self.words).ok();
        let search = self.search_for_all.get_or_init(make).as_ref();
        let found = search.and_then(|search| search.try_find_overlapping_iter(text).ok());
        // A search that can't tell overlapping words counts as one that has found them.
        let anywhere = found.is_none().then_some((0, 0, 0));
        let found = found.into_iter().flatten();
        let found = found.map(|one| (one.pattern().as_usize(), one.start(), one.end()));
        found.chain(anywhere)
    }

    /// What searches for the words as they are; `None` where there are too many for it. Of words that begin at one place it
    /// finds the shortest, and it passes over many bytes at a time where the words are few.
    fn search(&self) -> Option<&AhoCorasick> {
        let make = || {
            let mut words: Vec<&String> = self.words.iter().collect();
            words.sort_by_key(|word| word.len());
            let mut builder = AhoCorasick::builder();
            builder
                .match_kind(MatchKind::LeftmostFirst)
                .build(words)
                .ok()
        };
        self.search.get_or_init(make).as_ref()
    }
}

/// Whether a byte may be a part of an identifier.
pub(crate) fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
