//! NVIDIA's programs in command lines for a shell, whichever language passes the line on.

use torchada_mapping::{Command, has};
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

/// How a text runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramRun {
    /// The text is the program, with a folder or without.
    Alone,
    /// The text is a line of a shell, and one of its commands is the program.
    InLine,
}

/// How a text runs the program called `name`; `None` where it does not. `wrappers` are the commands that stand in front of
/// another one.
pub fn runs_program(text: &str, name: &str, wrappers: &[String]) -> Option<ProgramRun> {
    if !text.contains(char::is_whitespace) {
        return is_program(text, name).then_some(ProgramRun::Alone);
    }
    let mut commands = text.split(['|', ';', '&', '\n', '(', '`']);
    let runs = commands.any(|command| {
        // Variables that the command is given stand before it, too.
        let is_before = |word: &str| word.contains('=') || has(wrappers, word);
        let mut words = command.split_whitespace();
        let first = words.find(|word| !is_before(word));
        first.is_some_and(|word| is_program(word, name))
    });
    runs.then_some(ProgramRun::InLine)
}

/// Whether a word is a program's name, in quotes or behind a folder, too.
fn is_program(word: &str, name: &str) -> bool {
    let word = word.trim_matches(|one| matches!(one, '"' | '\'' | '(' | ')' | '`'));
    let start = word
        .rfind(|one: char| matches!(one, '/' | '\\') || HOLE.contains(one))
        .map_or(0, |at| {
            at + word[at..].chars().next().map_or(1, char::len_utf8)
        });
    let last = word.get(start..).unwrap_or_default();
    last.strip_suffix(".exe").unwrap_or(last) == name
}
