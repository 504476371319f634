//! Where names stand in the files of a tree, what they stand for there, and which function a call calls.

pub mod callee;
pub(super) mod compared;
pub(super) mod name_uses;
pub(super) mod places;
pub(super) mod references;
pub(super) mod shared_answers;
