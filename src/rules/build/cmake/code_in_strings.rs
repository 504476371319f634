//! Words of code in the strings of a command, which writes them to a file or has them compiled.

use super::pass::Pass;
use crate::build::code_words;
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// Whether a command writes code.
pub(super) fn is_written(pass: &Pass<'_>, command: &Command) -> bool {
    command
        .arguments
        .iter()
        .any(|argument| pass.word(argument).contains("#include"))
}

/// Translate a word of code in a string. Returns whether the tables have it.
pub(super) fn translate(pass: &mut Pass<'_>, range: TextRange) -> bool {
    let found = code_words::counterpart(pass.unit, range);
    found.is_some_and(|found| pass.edit(found.place, &found.to))
}
