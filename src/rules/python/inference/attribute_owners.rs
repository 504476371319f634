//! The files whose classes set an attribute, each name asked for once in a run.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Files by the name of an attribute.
type FilesByName = FxHashMap<Box<[u8]>, Arc<[usize]>>;

/// The files whose classes set an attribute, by the attribute's name.
#[derive(Debug, Default)]
pub struct AttributeOwners {
    known: Mutex<FilesByName>,
}

impl AttributeOwners {
    /// The files whose classes set an attribute. `find` must give the same ones whenever it is asked.
    pub(super) fn of(&self, word: &[u8], find: impl FnOnce() -> Arc<[usize]>) -> Arc<[usize]> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(word) {
            return Arc::clone(found);
        }
        let found = find();
        lock().insert(word.into(), Arc::clone(&found));
        found
    }
}
