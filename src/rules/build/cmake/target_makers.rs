//! The commands that make targets of sources of CUDA's.

use std::collections::BTreeMap;

use super::pass::Pass;

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

/// All commands that make targets, with the targets' names.
pub(super) fn all_made(targets: &Targets) -> impl Iterator<Item = (&str, TargetCommand)> {
    let all = targets.iter();
    all.flat_map(|(name, made)| made.iter().map(move |&one| (name.as_str(), one)))
}

/// Whether the command at `at` runs whenever the one at `made` does, apart from conditions that ask whether there is CUDA.
pub(super) fn reaches(pass: &Pass<'_>, made: usize, at: usize) -> bool {
    pass.file.blocks(at).all(|block| {
        let Some(opener) = pass.file.commands.get(block) else {
            return true;
        };
        let condition = pass.words(opener);
        let is_of_cuda = opener.lower_name() == "if"
            && condition.len() == 1
            && condition.iter().all(|word| pass.table.asks_for_cuda(word));
        let decides = matches!(opener.lower_name(), "if" | "elseif" | "else");
        !decides || is_of_cuda || pass.file.is_inside(made, block)
    })
}
