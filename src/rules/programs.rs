//! NVIDIA's programs in command lines for a shell, whichever language passes the line on.

use torchada_mapping::Command;
use torchada_syntax::python::HOLE;

/// The message and the advice of a finding about a program that stays.
pub fn program_left(command: &Command) -> (String, String) {
    let message = format!("`{}` is a program for NVIDIA's GPUs", command.name);
    let help = match &command.to {
        Some(to) => format!("MUSA has `{to}`. {}", command.advice),
        None => command.advice.clone(),
    };
    (message, help)
}

/// Whether a text is a command, or a line of a shell that runs it: then whether it is nothing else.
pub fn runs_program(text: &str, name: &str) -> Option<bool> {
    let program = |word: &str| {
        let word = word.trim_matches(|one| matches!(one, '"' | '\'' | '(' | ')' | '`'));
        let start = word
            .rfind(|one: char| matches!(one, '/' | '\\') || HOLE.contains(one))
            .map_or(0, |at| {
                at + word[at..].chars().next().map_or(1, char::len_utf8)
            });
        let last = word.get(start..).unwrap_or_default();
        last.strip_suffix(".exe").unwrap_or(last) == name
    };
    if !text.contains(char::is_whitespace) {
        return program(text).then_some(true);
    }
    // The first word of each command of the line, behind variables that it is given.
    let mut commands = text.split(['|', ';', '&', '\n', '(', '`']);
    let runs = commands.any(|command| {
        let mut words = command.split_whitespace();
        let first =
            words.find(|word| !word.contains('=') && !matches!(*word, "sudo" | "env" | "exec"));
        first.is_some_and(program)
    });
    runs.then_some(false)
}
