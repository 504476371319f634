//! The targets and the SDK of a port.

use torchada_mapping::ptx::Alternative;
use torchada_mapping::{Tables, Version};

/// What a port is for.
#[derive(Clone, Copy, Default, Debug)]
pub struct Platform<'a> {
    /// The targets; none where they are not known.
    pub targets: &'a [String],
    /// The SDK, where it is known.
    pub sdk: Option<&'a Version>,
    /// What is known of MUSA's names, where that is more than the tables know that come with the program.
    pub tables: Option<&'a Tables>,
}

impl Platform<'_> {
    /// Whether all targets have an alternative, and the SDK has it.
    pub fn has(self, one: &Alternative) -> bool {
        let first = one.sdk.parse::<Version>();
        let in_time = self
            .sdk
            .zip(first.ok())
            .is_some_and(|(ours, first)| *ours >= first);
        in_time
            && !self.targets.is_empty()
            && self
                .targets
                .iter()
                .all(|target| one.targets.contains(target))
    }
}
