//! The name of the rule, which its edits bear.

/// The name.
pub const RULE: &str = "dialect";
