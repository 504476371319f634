//! Which answers depend on the module that somebody edits: the others are kept from one key stroke to the next.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// What was looked at of the module that somebody edits. Without such a module nothing is counted.
#[derive(Clone, Debug, Default)]
pub struct EditDependence(Option<Arc<Edited>>);

#[derive(Debug)]
struct Edited {
    file: usize,
    /// How often something was looked at that each change of the text may change.
    count: AtomicUsize,
    /// The words that the text was asked for, with whether it had them. These answers may be relied on as long as they
    /// stay the same.
    words: Mutex<FxHashMap<Box<[u8]>, bool>>,
    /// The methods that the module has, with their places in its outline.
    methods: Vec<(String, usize)>,
}

impl EditDependence {
    /// No look yet at the module of a file that has these methods.
    pub(super) fn at(file: usize, methods: Vec<(String, usize)>) -> Self {
        Self(Some(Arc::new(Edited {
            file,
            count: AtomicUsize::new(0),
            words: Mutex::default(),
            methods,
        })))
    }

    /// Note a look at a module.
    pub(super) fn note(&self, file: usize) {
        if let Some(edited) = self.0.as_ref().filter(|edited| edited.file == file) {
            edited.count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Note that a module was asked for a word.
    pub(super) fn note_word(&self, file: usize, word: &[u8], has: bool) {
        if let Some(edited) = self.0.as_ref().filter(|edited| edited.file == file) {
            let mut words = edited.words.lock().unwrap_or_else(PoisonError::into_inner);
            if !words.contains_key(word) {
                words.insert(word.into(), has);
            }
        }
    }

    /// Whether answers that need no look at the module are still right where it has these methods, and where `has` tells
    /// which words it has.
    pub(super) fn holds(&self, methods: &[(String, usize)], has: impl Fn(&[u8]) -> bool) -> bool {
        self.0.as_ref().is_some_and(|edited| {
            let words = edited.words.lock().unwrap_or_else(PoisonError::into_inner);
            edited.methods == methods && words.iter().all(|(word, had)| has(word) == *had)
        })
    }

    /// Whether these are the same looks.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether somebody edits a module.
    pub fn matter(&self) -> bool {
        self.0.is_some()
    }

    /// An answer, and whether finding it took a look at the module.
    pub fn during<T>(&self, find: impl FnOnce() -> T) -> (T, bool) {
        let before = self.count();
        let found = find();
        (found, self.count() != before)
    }

    /// Note that an answer is used again, and whether finding it took a look at the module.
    pub fn again(&self, looked: bool) {
        if let Some(edited) = self.0.as_ref().filter(|_| looked) {
            edited.count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn count(&self) -> usize {
        let edited = self.0.as_ref();
        edited.map_or(0, |edited| edited.count.load(Ordering::Relaxed))
    }
}
