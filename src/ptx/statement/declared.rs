//! What a name stands for that a template declares.

use crate::types::Kind;

/// A name that the template declares.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// Its name in C++.
    pub(crate) cpp: String,
    /// The type of a register; `None` for a variable in memory.
    pub(crate) register: Option<Kind>,
    /// Whether a variable lies in shared memory.
    pub(crate) is_shared: bool,
    /// How many registers a vector has, which have names of their own (`v.x`); 1 for all else.
    pub(crate) vector: u32,
}
