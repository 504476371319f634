//! What the names and attributes of files stand for, to which other files ask for their own: each is found once in a run.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use rustc_hash::FxHashMap;

use super::slot::Slot;
use crate::project::python::{Callee, Definition};
use crate::syntax::python::NodeId;

/// Answers, each found once.
pub(super) type Known<K, V> = Mutex<FxHashMap<K, Arc<[V]>>>;

/// A word, and the file that it stands in.
pub(super) type WordOfFile = (usize, Box<[u8]>);

/// What the names and attributes of files stand for, as far as somebody asked.
#[derive(Debug, Default)]
pub struct Elsewhere {
    pub(super) references: Known<WordOfFile, (NodeId, Definition)>,
    /// By whether the keys of a dictionary are meant, or its value.
    pub(super) attributes: Known<(bool, WordOfFile), (NodeId, Vec<Slot>)>,
    pub(super) set_to: Known<Box<[u8]>, Callee>,
}

/// The answer to a question. `find` must give the same one whenever it is asked; two threads may both look for it.
pub(super) fn once<K: Eq + Hash, V>(
    known: &Known<K, V>,
    key: K,
    find: impl FnOnce() -> Vec<V>,
) -> Arc<[V]> {
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().get(&key) {
        return Arc::clone(found);
    }
    let found: Arc<[V]> = find().into();
    lock().insert(key, Arc::clone(&found));
    found
}

/// Whether a word stands by itself somewhere behind one of some signs. White space may stand between them, and so may a
/// comment at the end of a line; one that ends with such a sign counts as the sign.
pub(super) fn stands_behind(text: &[u8], word: &[u8], signs: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    memmem::find_iter(text, word).any(|at| {
        let behind = text.get(at + word.len()).copied();
        let before = text.get(..at).unwrap_or_default();
        !behind.is_some_and(is_part) && ends_with_one(before, signs)
    })
}

fn ends_with_one(before: &[u8], signs: &[u8]) -> bool {
    let ends = |text: &[u8]| text.last().is_some_and(|last| signs.contains(last));
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
    let kept = before.iter().rposition(|byte| !is_space(byte));
    let kept = before
        .get(..kept.map_or(0, |last| last + 1))
        .unwrap_or_default();
    if ends(kept) {
        return true;
    }
    let crosses_lines = before
        .get(kept.len()..)
        .is_some_and(|gap| gap.contains(&b'\n'));
    if !crosses_lines {
        return false;
    }
    let start = memchr::memrchr(b'\n', kept).map_or(0, |end| end + 1);
    let line = kept.get(start..).unwrap_or_default();
    memchr::memchr_iter(b'#', line)
        .any(|sign| ends(line.get(..sign).unwrap_or_default().trim_ascii_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_behind_a_dot_however_the_line_is_broken() {
        for text in [
            "a.b",
            "x = a.  b)",
            "(a.\n b)",
            "a.\\\n  b",
            "(a.  # no\n b)",
        ] {
            assert!(stands_behind(text.as_bytes(), b"b", b"."), "{text}");
        }
        for text in ["b", "a.bc", "a.b_", "a\nb", "x.a_b"] {
            assert!(!stands_behind(text.as_bytes(), b"b", b"."), "{text}");
        }
    }
}
