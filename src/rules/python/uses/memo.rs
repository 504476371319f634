//! What was asked of names already, so that each is followed once.

use std::cell::{Cell, OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::Reading;
use crate::syntax::python::ScopeId;

/// How far names are followed, one behind the other.
const DEPTH: usize = 10;

/// What names were found to hold, so that each is followed once.
#[derive(Default, Debug)]
pub struct Memo {
    held: RefCell<FxHashMap<Name, Reading>>,
    depth: Cell<usize>,
    of_build: OnceCell<bool>,
    chosen_fields: RefCell<FxHashMap<Vec<u8>, bool>>,
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
        if let Some(&known) = self.chosen_fields.borrow().get(name) {
            return known;
        }
        let found = ask();
        let mut fields = self.chosen_fields.borrow_mut();
        fields.insert(name.to_vec(), found);
        found
    }

    /// Ask once; a question that leads back to itself has no answer.
    pub(super) fn once(&self, name: Name, ask: impl FnOnce() -> Reading) -> Reading {
        if let Some(&known) = self.held.borrow().get(&name) {
            return known;
        }
        if self.depth.get() >= DEPTH {
            return Reading::Open;
        }
        self.held.borrow_mut().insert(name.clone(), Reading::Open);
        self.depth.set(self.depth.get() + 1);
        let found = ask();
        self.depth.set(self.depth.get() - 1);
        self.held.borrow_mut().insert(name, found);
        found
    }
}
