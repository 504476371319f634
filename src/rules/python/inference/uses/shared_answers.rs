//! What the names and attributes of files stand for, to which other files ask for their own: each is found once in a run.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::python::inference::facts::slot::Slot;
use torchada_project::python::{Callee, Definition, EditDependence};
use torchada_syntax::is_identifier_part;
use torchada_syntax::python::NodeId;
use torchada_text::line_start;

/// What was found, and whether it depends on the module that somebody edits.
type Answer<V> = (Arc<[V]>, bool);

/// Answers, each found once, with whether they depend on the module that somebody edits.
#[derive(Debug)]
pub struct SharedAnswers<K, V> {
    answers: Mutex<FxHashMap<K, Answer<V>>>,
    looks: EditDependence,
}

impl<K, V> Default for SharedAnswers<K, V> {
    fn default() -> Self {
        Self::new(&EditDependence::default())
    }
}

impl<K, V> SharedAnswers<K, V> {
    /// Nothing asked yet.
    pub fn new(looks: &EditDependence) -> Self {
        Self {
            answers: Mutex::default(),
            looks: looks.clone(),
        }
    }

    /// Forget what depends on the module that somebody edits.
    pub fn forget_edited(&mut self) {
        let answers = self.answers.get_mut();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        answers.retain(|_, (_, looked)| !*looked);
    }
}

impl<K: Eq + Hash, V> SharedAnswers<K, V> {
    /// The answer to a question. `find` must give the same one whenever it is asked; two threads may both look for it.
    pub fn once(&self, key: K, find: impl FnOnce() -> Vec<V>) -> Arc<[V]> {
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((found, looked)) = lock().get(&key) {
            self.looks.again(*looked);
            return Arc::clone(found);
        }
        let (found, looked) = self.looks.during(|| Arc::from(find()));
        lock().insert(key, (Arc::clone(&found), looked));
        found
    }
}

/// A word, and the file that it stands in.
pub type WordOfFile = (usize, Box<[u8]>);

/// What the names and attributes of files stand for, as far as somebody asked.
#[derive(Debug, Default)]
pub struct NameAnswers {
    pub references: SharedAnswers<WordOfFile, (NodeId, Definition)>,
    /// The answers by whether the keys of a dictionary are meant, or its value.
    pub attributes: SharedAnswers<(bool, WordOfFile), (NodeId, Vec<Slot>)>,
    pub set_to: SharedAnswers<Box<[u8]>, Callee>,
    /// The files whose classes set an attribute, by the attribute's name.
    pub owners: SharedAnswers<Box<[u8]>, usize>,
    /// A file with a class that checks a field of a name against names of platforms.
    pub checked_fields: SharedAnswers<Box<[u8]>, usize>,
    /// The fields that the classes of a file check against names of platforms, by the file.
    pub checked_in: SharedAnswers<usize, Box<[u8]>>,
    /// The slots of a file whose values it holds against names of platforms.
    pub compared: SharedAnswers<usize, Slot>,
    /// The slots that a value of a slot comes from or goes to.
    pub neighbours: SharedAnswers<Slot, Slot>,
}

impl NameAnswers {
    pub fn new(looks: &EditDependence) -> Self {
        Self {
            references: SharedAnswers::new(looks),
            attributes: SharedAnswers::new(looks),
            set_to: SharedAnswers::new(looks),
            owners: SharedAnswers::new(looks),
            checked_fields: SharedAnswers::new(looks),
            checked_in: SharedAnswers::new(looks),
            compared: SharedAnswers::new(looks),
            neighbours: SharedAnswers::new(looks),
        }
    }

    /// Forget what depends on the module that somebody edits.
    pub fn forget_edited(&mut self) {
        self.references.forget_edited();
        self.attributes.forget_edited();
        self.set_to.forget_edited();
        self.owners.forget_edited();
        self.checked_fields.forget_edited();
        self.checked_in.forget_edited();
        self.compared.forget_edited();
        self.neighbours.forget_edited();
    }
}

/// Whether a word stands by itself somewhere behind a dot. White space may stand between them, and so may a comment at the
/// end of a line; one that ends with a dot counts as the dot.
pub fn is_member(text: &[u8], word: &[u8]) -> bool {
    texts_before(text, word).any(|before| before_dot(before).is_some())
}

/// The names right in front of the dot, for each place where a word stands by itself behind one: `b` of `a.b.word`.
pub fn objects_of<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    texts_before(text, word).filter_map(|before| {
        let object = before_dot(before)?.trim_ascii_end();
        let start = object.iter().rposition(|&byte| !is_identifier_part(byte));
        object.get(start.map_or(0, |before| before + 1)..)
    })
}

/// For each place where a word ends that may have begun earlier: the text before the word.
fn texts_before<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    memmem::find_iter(text, word).filter_map(move |at| {
        let behind = text.get(at + word.len()).copied();
        (!behind.is_some_and(is_identifier_part))
            .then(|| text.get(..at))
            .flatten()
    })
}

/// What stands before the dot at the end of a text.
fn before_dot(before: &[u8]) -> Option<&[u8]> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
    let kept = before.iter().rposition(|byte| !is_space(byte));
    let kept = before
        .get(..kept.map_or(0, |last| last + 1))
        .unwrap_or_default();
    let is_behind_line = || {
        before
            .get(kept.len()..)
            .is_some_and(|gap| gap.contains(&b'\n'))
    };
    kept.strip_suffix(b".").or_else(|| {
        let start = is_behind_line().then(|| line_start(kept, kept.len()))?;
        let line = kept.get(start..)?;
        memchr::memchr_iter(b'#', line).find_map(|sign| {
            let code = kept.get(..start + sign)?;
            code.trim_ascii_end().strip_suffix(b".")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_member_a_dot_however_the_line_is_broken() {
        for text in [
            "a.b",
            "x = a.  b)",
            "(a.\n b)",
            "a.\\\n  b",
            "(a.  # no\n b)",
        ] {
            assert!(is_member(text.as_bytes(), b"b"), "{text}");
        }
        for text in ["b", "a.bc", "a.b_", "a\nb", "x.a_b"] {
            assert!(!is_member(text.as_bytes(), b"b"), "{text}");
        }
    }

    #[test]
    fn the_object_of_a_member_is_the_name_before_the_dot() {
        let text = b"a.b, x.y .b; (c.  # no\n b) d().b, .b e.bc";
        let objects: Vec<&[u8]> = objects_of(text, b"b").collect();
        assert_eq!(objects, [&b"a"[..], b"y", b"c", b"", b""]);
    }
}
