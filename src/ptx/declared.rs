//! What a name stands for that a template declares.

use super::kind::Kind;

/// A name that the template declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// Its name in C++.
    pub(super) cpp: String,
    /// The type of a register; `None` for a variable in memory.
    pub(super) register: Option<Kind>,
    /// Whether a variable lies in shared memory.
    pub(super) is_shared: bool,
    /// How many registers a vector has, which have names of their own (`v.x`); 1 for all else.
    pub(super) vector: u32,
}
