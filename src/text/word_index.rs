//! An index that answers quickly whether a text contains a word.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::TextRange;
use super::words::is_part_of_word;
use memchr::memmem;

/// How many letters are looked at together.
const GRAM: usize = 4;

/// The most bits that are kept, as a power of two: 4 kB.
const MOST: u32 = 15;

/// How many words are looked for by themselves before all words of the text are sorted, which takes as long as some such
/// searches.
const SEARCHES: usize = 24;

/// An index of a text. Each question passes the text along.
#[derive(Default, Debug)]
pub struct WordIndex {
    grams: OnceLock<NgramFilter>,
    /// The words, each once, sorted.
    words: OnceLock<Vec<TextRange>>,
    /// How many words the text was searched for, each by itself.
    searches: AtomicUsize,
}

impl Clone for WordIndex {
    /// An index of the same text, which is built when somebody asks.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl WordIndex {
    /// Whether the text contains a word by itself.
    pub fn has_word(&self, text: &[u8], word: &[u8]) -> bool {
        let grams = self.grams.get_or_init(|| NgramFilter::new(text));
        if !grams.may_have(word) {
            return false;
        }
        if self.words.get().is_none() && self.searches.fetch_add(1, Ordering::Relaxed) < SEARCHES {
            return stands_alone(text, word);
        }
        let words = self.words.get_or_init(|| sorted_words(text));
        let found = words.binary_search_by(|range| range.of(text).cmp(word));
        found.is_ok()
    }
}

/// The places of the words of a text, each word once, sorted.
fn sorted_words(text: &[u8]) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = 0;
    for word in text.split(|&byte| !is_part_of_word(byte)) {
        if !word.is_empty() {
            found.push(TextRange::new(start, start + word.len()));
        }
        start += word.len() + 1;
    }
    found.sort_unstable_by_key(|range| range.of(text));
    found.dedup_by_key(|range| range.of(text));
    found
}

/// Whether a word stands somewhere in a text by itself.
fn stands_alone(text: &[u8], word: &[u8]) -> bool {
    let is_word = !word.is_empty() && word.iter().copied().all(is_part_of_word);
    let is_part_at = |at: usize| text.get(at).copied().is_some_and(is_part_of_word);
    is_word
        && memmem::find_iter(text, word).any(|at| {
            let is_front_free = at.checked_sub(1).is_none_or(|before| !is_part_at(before));
            is_front_free && !is_part_at(at + word.len())
        })
}

/// A bit for each run of four bytes that a text has, so that most words that it does not have need
/// no search.
#[derive(Debug)]
struct NgramFilter {
    bits: Vec<u64>,
    size: u32,
}

/// Ask of the bit of each run of four bytes of a text, in an index of `2^size` bits, until one answer is no.
fn all_slots(text: &[u8], size: u32, mut ask: impl FnMut(usize) -> bool) -> bool {
    let (start, rest) = text.split_at(text.len().min(GRAM - 1));
    let shifted = |gram: u32, byte: &u8| gram >> 8 | u32::from(*byte) << 24;
    let mut gram = start.iter().fold(0, shifted);
    rest.iter().all(|byte| {
        gram = shifted(gram, byte);
        ask((gram.wrapping_mul(0x9E37_79B1) >> (32 - size)) as usize)
    })
}

impl NgramFilter {
    fn new(text: &[u8]) -> Self {
        // Two bits for each byte; a text that fills all of them is searched as before.
        let size = text.len().saturating_mul(2).checked_ilog2().unwrap_or(0);
        let size = size.clamp(6, MOST);
        let mut bits = vec![0_u64; 1 << (size - 6)];
        all_slots(text, size, |at| {
            if let Some(word) = bits.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
            true
        });
        Self { bits, size }
    }

    fn may_have(&self, word: &[u8]) -> bool {
        all_slots(word, self.size, |at| {
            let bits = self.bits.get(at / 64).copied().unwrap_or(u64::MAX);
            bits >> (at % 64) & 1 == 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_where_it_stands_by_itself() {
        let text = b"import torch\nx = torch.cuda.device_count()\n";
        let long = [text.repeat(500), b"last_word\n".to_vec()].concat();
        let index = WordIndex::default();
        // Searches come first, and the sorted words answer later.
        for _ in 0..2 * SEARCHES {
            assert!(index.has_word(&long, b"last_word") && !index.has_word(&long, b"ast_wor"));
            assert!(!index.has_word(&long, b"torch.cuda") && !index.has_word(&long, b""));
        }
        let empty = WordIndex::default();
        assert!(!empty.has_word(b"", b"a") && !empty.has_word(b"", b""));
    }
}
