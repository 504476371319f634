//! Functions that leave nothing behind, such as those that print in colours: a walk need not run them.

use super::run::Runner;
use super::sources::CommandPlace;
use torchada_mapping::has;

/// Words by which a command changes variables outside of its function.
const OUTSIDE: [&[u8]; 2] = [b"PARENT_SCOPE", b"CACHE"];

impl Runner<'_> {
    /// Whether a call of what is defined at a place leaves nothing behind: it is a function whose commands do no more than
    /// compute and print, in variables of its own.
    pub(super) fn is_local(&mut self, definition: CommandPlace) -> bool {
        if let Some(&known) = self.local.get(&definition) {
            return known;
        }
        let is_local = self.has_local_commands(definition);
        self.local.insert(definition, is_local);
        is_local
    }

    fn has_local_commands(&mut self, (file, at): CommandPlace) -> bool {
        let Some(source) = self.tree.file(file) else {
            return false;
        };
        let end = self.ends_of(file).get(at).copied().unwrap_or(at);
        let commands = &source.commands.commands;
        let (Some(definition), Some(body)) = (commands.get(at), commands.get(at + 1..end)) else {
            return false;
        };
        let local = &self.knowledge.builds.cmake.local_commands;
        definition.lower_name() == "function"
            && body.iter().all(|command| {
                let name = command.lower_name();
                let changes_outside = || {
                    let mut arguments = command.arguments.iter();
                    arguments.any(|one| OUTSIDE.contains(&one.inner.of(source.text)))
                };
                // A project may define a command of its own under such a name.
                has(local, name) && self.definition(name).is_none() && !changes_outside()
            })
    }
}
