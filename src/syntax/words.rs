//! An index of the words of a text, so that a search for a few words need not visit every token.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// The identifiers of a text, each with its places: the numbers of its tokens, or the nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct IdentifierIndex<P> {
    /// Indices of `words`, by text.
    table: HashTable<u32>,
    /// For each word, the range of `places` that is its own.
    words: Vec<Range<u32>>,
    /// All places: word by word, and for each word in the order of the text.
    places: Vec<P>,
}

impl<P: Copy> IdentifierIndex<P> {
    /// Sort `identifiers`, which come in the order of the text, by what `text_of` gives for each.
    pub(super) fn new<'t>(
        identifiers: impl Iterator<Item = P>,
        text_of: impl Fn(P) -> &'t [u8],
    ) -> Self {
        // The first place of each word, and how many places the word has.
        let mut counted: Vec<(P, u32)> = Vec::new();
        let mut table: HashTable<u32> = HashTable::new();
        // The word of each identifier.
        let (least, most) = identifiers.size_hint();
        let mut found: Vec<(u32, P)> = Vec::with_capacity(most.map_or(least, |most| most / 2));
        for at in identifiers {
            let text = text_of(at);
            let hash_of_text = hash(text);
            let word_of = |id: &u32| {
                let word = counted.get(*id as usize);
                word.map_or(&[][..], |&(first, _)| text_of(first))
            };
            let known = table.find(hash_of_text, |id| word_of(id) == text);
            let id = known.copied().unwrap_or(counted.len() as u32);
            if known.is_none() {
                counted.push((at, 0));
                let word_of = |id: &u32| {
                    let word = counted.get(*id as usize);
                    word.map_or(&[][..], |&(first, _)| text_of(first))
                };
                table.insert_unique(hash_of_text, id, |id| hash(word_of(id)));
            }
            if let Some((_, count)) = counted.get_mut(id as usize) {
                *count += 1;
            }
            found.push((id, at));
        }
        let mut end = 0;
        let mut words: Vec<Range<u32>> = Vec::with_capacity(counted.len());
        for (_, count) in counted {
            // Filled below, up to where the next word begins.
            words.push(end..end);
            end += count;
        }
        let mut places: Vec<P> = found.iter().map(|&(_, at)| at).collect();
        for (id, at) in found {
            if let Some(word) = words.get_mut(id as usize)
                && let Some(place) = places.get_mut(word.end as usize)
            {
                *place = at;
                word.end += 1;
            }
        }
        Self {
            table,
            words,
            places,
        }
    }

    /// The words, each by its places in the order of the text.
    pub(super) fn all(&self) -> impl Iterator<Item = &[P]> {
        self.words.iter().map(|word| self.places_of(word))
    }

    /// The places of a word, in the order of the text. `text_of` gives the text of a place.
    pub(super) fn places<'t>(&self, word: &[u8], text_of: impl Fn(P) -> &'t [u8]) -> &[P] {
        let places = |id: &u32| {
            let word = self.words.get(*id as usize);
            word.map_or(&[][..], |word| self.places_of(word))
        };
        let is_one = |id: &u32| {
            let first = places(id).first();
            first.is_some_and(|&at| text_of(at) == word)
        };
        self.table.find(hash(word), is_one).map_or(&[], places)
    }

    fn places_of(&self, word: &Range<u32>) -> &[P] {
        let range = word.start as usize..word.end as usize;
        self.places.get(range).unwrap_or_default()
    }
}

fn hash(text: &[u8]) -> u64 {
    FxBuildHasher.hash_one(text)
}

#[cfg(test)]
mod tests {
    use crate::{LexOptions, lex};

    #[test]
    fn words_are_found_where_they_stand_as_identifiers() {
        let text = b"int a = f(a, \"a\"); // a\n#define b a\nf b";
        let tokens = lex(text, LexOptions::default());
        let text_at = |at: usize| tokens.get(at).map(|token| token.range().start);
        let places = |word: &[u8]| -> Vec<_> { tokens.places(text, word).map(text_at).collect() };
        assert_eq!(places(b"a"), [Some(4), Some(10), Some(34)]);
        assert_eq!(places(b"="), []);
        assert!(tokens.has_word(text, b"b") && !tokens.has_word(text, b"define"));
        let short = |word: &[u8]| (word.len() == 1).then(|| word.first().copied());
        let found: Vec<_> = tokens.identifiers(text, short);
        let letters: Vec<_> = found.iter().filter_map(|(_, letter)| *letter).collect();
        assert_eq!(letters, b"afabafb");
    }
}
