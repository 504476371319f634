//! The name of the rules for Triton, and how far they look.

pub(super) const RULE: &str = "python-triton";

/// How many nodes of an expression are looked at.
pub(super) const REACH: usize = 256;
