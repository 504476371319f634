//! The name of the rule for environment variables.

pub(super) const RULE: &str = "python-environment";
