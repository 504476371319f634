//! The name of the rule for native libraries.

pub(super) const RULE: &str = "python-native";
