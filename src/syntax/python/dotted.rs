//! The dotted name that an expression refers to.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::scope::ScopeId;

/// The certainty of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// One of several readings, or one that needs what the text does not show.
    Perhaps,
    /// There is no other reading.
    Sure,
}

/// A name with its modules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dotted {
    /// `os.path.join`
    pub name: String,
    /// How sure that is.
    pub certainty: Certainty,
}

impl Dotted {
    pub(super) fn member(mut self, name: &str) -> Self {
        if !self.name.ends_with('.') {
            self.name.push('.');
        }
        self.name.push_str(name);
        self
    }

    pub(super) fn uncertain(mut self) -> Self {
        self.certainty = Certainty::Perhaps;
        self
    }

    /// Whether the answer has no rival.
    pub fn is_sure(&self) -> bool {
        self.certainty == Certainty::Sure
    }
}

/// The names that were resolved already, by the scope that binds each and the number of steps that were left. Without
/// it, a name that is bound again and again to itself (`x = x.y`) would be followed along every path.
#[derive(Default, Debug)]
pub(super) struct Followed(pub(super) Mutex<FxHashMap<(ScopeId, usize), ByName>>);

pub(super) type ByName = FxHashMap<Box<[u8]>, Option<Dotted>>;
