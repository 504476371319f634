//! An index of the words of a text, so that a search for a few words need not visit every token.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::token::{Token, TokenKind};

/// No token.
const NONE: u32 = u32::MAX;

/// The identifiers of a text, each with its places.
#[derive(Clone, Default, Debug)]
pub(super) struct IdentifierIndex {
    /// Indices of `all`, by text.
    pub(super) table: HashTable<u32>,
    pub(super) all: Vec<IndexedWord>,
    /// For each token, the next one with the same word.
    pub(super) next: Vec<u32>,
}

/// A word, by its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedWord {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl IdentifierIndex {
    /// Look through the tokens of a text.
    pub(super) fn new(source: &[u8], tokens: &[Token]) -> Self {
        let text_of = |at: u32| {
            let token = tokens.get(at as usize);
            token.map_or(&b""[..], |token| token.text(source))
        };
        let mut words: Vec<IndexedWord> = Vec::new();
        // Real code says each word about ten times.
        let mut table: HashTable<u32> = HashTable::with_capacity(tokens.len() / 16);
        let mut next = vec![NONE; tokens.len()];
        for (at, token) in (0_u32..).zip(tokens) {
            if token.kind != TokenKind::Identifier {
                continue;
            }
            let text = token.text(source);
            let first_of = |id: &u32| words.get(*id as usize).map_or(NONE, |word| word.first);
            let known = table.find(hash(text), |id| text_of(first_of(id)) == text);
            if let Some(word) = known.and_then(|id| words.get_mut(*id as usize)) {
                if let Some(slot) = next.get_mut(word.last as usize) {
                    *slot = at;
                }
                word.last = at;
            } else {
                let id = words.len() as u32;
                words.push(IndexedWord {
                    first: at,
                    last: at,
                });
                let first_of = |id: &u32| words.get(*id as usize).map_or(NONE, |word| word.first);
                table.insert_unique(hash(text), id, |id| hash(text_of(first_of(id))));
            }
        }
        Self {
            table,
            all: words,
            next,
        }
    }

    /// The token `first`, and all behind it with the same word.
    pub(super) fn from(&self, first: Option<u32>) -> impl Iterator<Item = usize> {
        std::iter::successors(first, |at| {
            let next = self.next.get(*at as usize).copied();
            next.filter(|next| *next != NONE)
        })
        .map(|at| at as usize)
    }
}

pub(super) fn hash(text: &[u8]) -> u64 {
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
