//! An index of the words of a text, so that a search for a few words need not visit every token.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::token::{Token, TokenKind};

/// The identifiers of a text, each with its places.
#[derive(Clone, Default, Debug)]
pub(super) struct IdentifierIndex {
    /// Indices of `words`, by text.
    table: HashTable<u32>,
    /// For each word, the range of `places` that is its own.
    words: Vec<Range<u32>>,
    /// The tokens that are identifiers: word by word, and for each word in order of place.
    places: Vec<u32>,
}

impl IdentifierIndex {
    /// Look through the tokens of a text.
    pub(super) fn new(source: &[u8], tokens: &[Token]) -> Self {
        let text_of = |at: u32| {
            let token = tokens.get(at as usize);
            token.map_or(&b""[..], |token| token.text(source))
        };
        // The first token of each word, and how many tokens are that word.
        let mut counted: Vec<(u32, u32)> = Vec::new();
        // Real code says each word about ten times.
        let mut table: HashTable<u32> = HashTable::with_capacity(tokens.len() / 16);
        // The word of each identifier, by place.
        let mut found: Vec<(u32, u32)> = Vec::with_capacity(tokens.len() / 2);
        for (at, token) in (0_u32..).zip(tokens) {
            if token.kind != TokenKind::Identifier {
                continue;
            }
            let text = token.text(source);
            let first_of = |id: &u32| counted.get(*id as usize).map_or(u32::MAX, |word| word.0);
            let known = table.find(hash(text), |id| text_of(first_of(id)) == text);
            let id = known.copied().unwrap_or(counted.len() as u32);
            if let Some(word) = counted.get_mut(id as usize) {
                word.1 += 1;
            } else {
                counted.push((at, 1));
                let first_of = |id: &u32| counted.get(*id as usize).map_or(at, |word| word.0);
                table.insert_unique(hash(text), id, |id| hash(text_of(first_of(id))));
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
        let mut places = vec![0; found.len()];
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

    /// The words, each by its tokens in order of place.
    pub(super) fn all(&self) -> impl Iterator<Item = &[u32]> {
        self.words.iter().map(|word| self.tokens_of(word))
    }

    /// The tokens that are a word, in order of place. `text_of` gives a token's text.
    pub(super) fn places<'t>(
        &self,
        word: &[u8],
        text_of: impl Fn(usize) -> Option<&'t [u8]>,
    ) -> &[u32] {
        let tokens = |id: &u32| {
            let word = self.words.get(*id as usize);
            word.map_or(&[][..], |word| self.tokens_of(word))
        };
        let is_one = |id: &u32| {
            let first = tokens(id).first();
            first.and_then(|at| text_of(*at as usize)) == Some(word)
        };
        self.table.find(hash(word), is_one).map_or(&[], tokens)
    }

    fn tokens_of(&self, word: &Range<u32>) -> &[u32] {
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
