//! The name of the rule for guards.

/// The name of the rule, which its edits bear.
pub const NAME: &str = "guard";
