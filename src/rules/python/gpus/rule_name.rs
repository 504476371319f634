//! The name of the rule for what a GPU can do.

pub(super) const RULE: &str = "python-gpus";
