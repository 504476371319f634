//! Answers about files of the tree that rules need again and again, each computed once.

use std::cell::{OnceCell, RefCell};
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::alternatives::Alternatives;
use super::reach::Away;
use crate::syntax::python::NodeId;

/// Answers about one file, kept while the rules look at that file.
#[derive(Default, Debug)]
pub struct Memo {
    of_build: OnceCell<bool>,
    checked_fields: RefCell<FxHashMap<Vec<u8>, bool>>,
    for_device: RefCell<FxHashMap<usize, bool>>,
    conditions_for_others: RefCell<FxHashMap<(usize, NodeId), bool>>,
    branches: RefCell<FxHashMap<(usize, NodeId), Alternatives>>,
    away: RefCell<FxHashMap<usize, Rc<[Away]>>>,
    speaks_of_gpus: RefCell<FxHashMap<usize, bool>>,
    makes_devices: RefCell<FxHashMap<usize, bool>>,
}

impl Memo {
    /// Whether the module is a part of a build, computed once.
    pub fn is_of_build(&self, ask: impl FnOnce() -> bool) -> bool {
        *self.of_build.get_or_init(ask)
    }

    /// Whether a field of this name is one that a class checks against names of platforms, computed once.
    pub fn is_checked_field(&self, name: &[u8], ask: impl FnOnce() -> bool) -> bool {
        once(&self.checked_fields, name.to_vec(), ask)
    }

    /// Whether the extensions that a file builds have to do with CUDA, computed once.
    pub fn is_built_for_device(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        once(&self.for_device, file, ask)
    }

    /// Whether the conditions of a statement of a file ask for another platform, computed once.
    pub fn asks_for_others(&self, at: (usize, NodeId), ask: impl FnOnce() -> bool) -> bool {
        once(&self.conditions_for_others, at, ask)
    }

    /// The platforms that the conditions of a statement of a file have branches for, computed once.
    pub fn branches(
        &self,
        at: (usize, NodeId),
        ask: impl FnOnce() -> Alternatives,
    ) -> Alternatives {
        once(&self.branches, at, ask)
    }

    /// Whether a file has one of the words that speak of a GPU, computed once.
    pub fn speaks_of_gpus(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        once(&self.speaks_of_gpus, file, ask)
    }

    /// Whether a file makes devices of CUDA's itself, computed once.
    pub fn makes_devices(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        once(&self.makes_devices, file, ask)
    }

    /// The branches of a file that MUSA does not reach, computed once.
    pub fn away(&self, file: usize, ask: impl FnOnce() -> Vec<Away>) -> Rc<[Away]> {
        if let Some(found) = self.away.borrow().get(&file) {
            return Rc::clone(found);
        }
        let found: Rc<[Away]> = ask().into();
        self.away.borrow_mut().insert(file, Rc::clone(&found));
        found
    }
}

fn once<K: Eq + Hash, V: Copy>(
    known: &RefCell<FxHashMap<K, V>>,
    key: K,
    ask: impl FnOnce() -> V,
) -> V {
    if let Some(&found) = known.borrow().get(&key) {
        return found;
    }
    let found = ask();
    known.borrow_mut().insert(key, found);
    found
}
