//! The name of the rule for packages.

pub(super) const RULE: &str = "python-packages";
