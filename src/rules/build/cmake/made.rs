//! The commands that make targets of sources of CUDA's.

use std::collections::BTreeMap;

/// A command that makes a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetCommand {
    /// The place of the command.
    pub(super) at: usize,
    /// Whether the command is one of MUSA's.
    pub(super) by_musa: bool,
}

/// The targets with sources of CUDA's, by name. Each branch of an `if` may make one of the same name.
pub(super) type Targets = BTreeMap<String, Vec<TargetCommand>>;

/// The commands that make targets of some names.
pub(super) fn made<'t>(
    targets: &'t Targets,
    names: &'t [&str],
) -> impl Iterator<Item = TargetCommand> + 't {
    let all = names.iter().filter_map(|name| targets.get(*name));
    all.flatten().copied()
}
