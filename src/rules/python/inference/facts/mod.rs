//! What is known of slots: equations over other slots, and their solution.

pub(super) mod equation;
mod rounds;
pub(super) mod slot;
pub(super) mod solver;
