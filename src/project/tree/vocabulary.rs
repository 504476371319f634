//! The words of a tree, each once, as the threads that read its files collect them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

/// How many of the words that any file had are remembered, for each file of the tree.
const MET: usize = 1 << 7;

/// How many of these words are remembered at most.
const MOST_MET: usize = 1 << 17;

/// The number of parts in which the vocabulary is collected, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// The byte between two words of the vocabulary.
pub(super) const BETWEEN: u8 = b'\n';

/// Words, which are known by their numbers.
pub(super) struct Vocabulary {
    shards: [Mutex<Shard>; SHARDS],
    /// Numbers of words that were added: most words of a file stood in another one, and for these no thread waits.
    met: Vec<AtomicU64>,
}

/// A part of the words.
#[derive(Default)]
struct Shard {
    numbers: FxHashSet<u64>,
    text: Vec<u8>,
}

impl Vocabulary {
    /// No words yet, of a tree with so many files.
    pub(super) fn for_files(files: usize) -> Self {
        let met = (0..MOST_MET.min(files * MET)).map(|_| AtomicU64::new(u64::MAX));
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            met: met.collect(),
        }
    }

    /// Add a word if it is not there yet.
    pub(super) fn add(&self, number: u64, word: &[u8]) {
        let at = number as usize;
        if let (Some(met), Some(shard)) = (
            self.met.get(at % self.met.len()),
            self.shards.get(at % SHARDS),
        ) && met.load(Ordering::Relaxed) != number
        {
            met.store(number, Ordering::Relaxed);
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            if shard.numbers.insert(number) {
                shard.text.extend_from_slice(word);
                shard.text.push(BETWEEN);
            }
        }
    }

    /// All words, in no order, with a line end before and behind each.
    pub(super) fn into_text(self) -> Vec<u8> {
        let mut text = vec![BETWEEN];
        for shard in self.shards {
            text.extend(
                shard
                    .into_inner()
                    .unwrap_or_else(PoisonError::into_inner)
                    .text,
            );
        }
        text.shrink_to_fit();
        text
    }
}
