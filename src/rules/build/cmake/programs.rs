//! Programs of CUDA's that a build looks for.

use super::pass::Pass;
use torchada_diagnostic::codes::build::NO_COUNTERPART;
use torchada_syntax::cmake::{Argument, Command};
use torchada_syntax::cmake_references::reference;

/// Look at a name of a program: `find_program(NVCC nvcc)`.
pub(super) fn check(pass: &mut Pass<'_>, find: &Command, argument: &Argument) {
    let known = &pass.unit.context.knowledge.commands.known;
    let word = pass.word(argument);
    let Some(command) = known.iter().find(|one| one.name == word) else {
        return;
    };
    if let Some(to) = &command.to {
        if !command.compiler && has_options(pass, find) {
            let message = format!("`{word}` is run with options, and stays");
            let help = format!("MUSA has `{to}`. {}", command.advice);
            pass.report(NO_COUNTERPART, argument.inner, message, help);
            return;
        }
        pass.edit(argument.inner, to);
    } else {
        let message = format!("MUSA has no program like `{word}`");
        pass.report(NO_COUNTERPART, argument.inner, message, &command.advice);
    }
}

/// Whether the program that a command finds is run with options, which another program has others of.
fn has_options(pass: &Pass<'_>, find: &Command) -> bool {
    let Some(variable) = pass.first_word(find) else {
        return false;
    };
    let itself = reference(variable);
    pass.file.commands.iter().any(|one| {
        let words = pass.words(one);
        let pairs = words.windows(2);
        one.range != find.range
            && pairs
                .filter(|pair| pair.first() == Some(&itself.as_str()))
                .any(|pair| pair.last().is_some_and(|next| next.starts_with('-')))
    })
}
