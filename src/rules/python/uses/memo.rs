//! What was asked of names already, so that each is followed once.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::StringRole;
use crate::rules::python::vendors::Alternatives;
use crate::syntax::python::{NodeId, ScopeId};

/// How far names are followed, one behind the other.
const DEPTH: usize = 10;

/// What names were found to hold, so that each is followed once.
#[derive(Default, Debug)]
pub struct Memo {
    held: RefCell<FxHashMap<Name, StringRole>>,
    depth: Cell<usize>,
    of_build: OnceCell<bool>,
    chosen_fields: RefCell<FxHashMap<Vec<u8>, bool>>,
    for_device: RefCell<FxHashMap<usize, bool>>,
    asked_for: RefCell<FxHashMap<(usize, NodeId), bool>>,
    led_to: RefCell<FxHashMap<(usize, NodeId), Alternatives>>,
}

/// What is asked of a name in a scope of a file, or in a file as a whole.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name {
    /// What a variable holds by its uses.
    Variable(usize, ScopeId, Vec<u8>),
    /// What it holds by what it is made of, else by its uses.
    Origin(usize, ScopeId, Vec<u8>),
    /// What a member holds.
    Member(usize, Vec<u8>),
    /// What a function gives.
    Result(usize, Vec<u8>),
    /// What a table is asked by.
    Keys(usize, ScopeId, Vec<u8>),
    /// What a table gives.
    Values(usize, ScopeId, Vec<u8>),
}

impl Memo {
    /// Whether the module is a part of a build, asked once.
    pub fn is_of_build(&self, ask: impl FnOnce() -> bool) -> bool {
        *self.of_build.get_or_init(ask)
    }

    /// Whether a field of this name is one that a class checks against names of platforms, asked once.
    pub fn is_chosen_field(&self, name: &[u8], ask: impl FnOnce() -> bool) -> bool {
        once(&self.chosen_fields, name.to_vec(), ask)
    }

    /// Whether what a file builds has to do with CUDA, asked once.
    pub fn is_built_for_device(&self, file: usize, ask: impl FnOnce() -> bool) -> bool {
        once(&self.for_device, file, ask)
    }

    /// Whether the conditions of a statement of a file ask for another platform, asked once.
    pub fn asks_for_others(&self, at: (usize, NodeId), ask: impl FnOnce() -> bool) -> bool {
        once(&self.asked_for, at, ask)
    }

    /// For whom the conditions of a statement of a file have a branch, asked once.
    pub fn branches(
        &self,
        at: (usize, NodeId),
        ask: impl FnOnce() -> Alternatives,
    ) -> Alternatives {
        once(&self.led_to, at, ask)
    }

    /// Ask once; a question that leads back to itself has no answer.
    pub(super) fn once(&self, name: Name, ask: impl FnOnce() -> StringRole) -> StringRole {
        if let Some(&known) = self.held.borrow().get(&name) {
            return known;
        }
        if self.depth.get() >= DEPTH {
            return StringRole::Unknown;
        }
        self.held
            .borrow_mut()
            .insert(name.clone(), StringRole::Unknown);
        self.depth.set(self.depth.get() + 1);
        let found = ask();
        self.depth.set(self.depth.get() - 1);
        self.held.borrow_mut().insert(name, found);
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
