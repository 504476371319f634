//! Options that a build looks for among the flags: `list(FIND …)`, `string(REPLACE …)`, `if(… MATCHES …)`. What stands
//! for itself follows the flags; a pattern says too little of what it means to be written anew.

use super::flags::{differs, split, translator};
use super::pass::Pass;
use super::words::{Takes, plain};
use crate::flags::FlagAction;
use torchada_diagnostic::codes::build::OPTION_SOUGHT;
use torchada_syntax::cmake::{Argument, Command};

/// Look at a command that may look for options. Returns whether it is one that does.
pub(super) fn check(pass: &mut Pass<'_>, command: &Command) -> bool {
    let name = command.lower_name();
    let words = pass.words(command);
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    match (name, word(0)) {
        ("list" | "string", "FIND") if has_flags_of_nvcc(pass, command, 1) => {
            exact_at(pass, command, 2, true);
        }
        ("list", "FILTER") if has_flags_of_nvcc(pass, command, 1) => pattern_at(pass, command, 4),
        ("string", "REPLACE") if has_flags_of_nvcc(pass, command, 3) => {
            exact_at(pass, command, 1, false);
            let to = command.arguments.get(2..3).unwrap_or_default().to_vec();
            let alone = Command {
                arguments: to,
                ..command.clone()
            };
            plain(pass, &alone, 0, Takes::WORDS);
        }
        ("string", "REGEX") if has_flags_of_nvcc(pass, command, 3) => pattern_at(pass, command, 2),
        ("if" | "elseif", _) => {
            for (at, two) in words.windows(2).enumerate() {
                if two.last() == Some(&"MATCHES") && of_flags(pass, two.first().copied()) {
                    pattern_at(pass, command, at + 2);
                }
            }
        }
        ("string" | "list", "FIND") | ("string", "REPLACE" | "REGEX") | ("list", "FILTER") => {}
        _ => return false,
    }
    true
}

/// Whether one of the arguments from `first` on is, or has, flags of CUDA's compiler.
fn has_flags_of_nvcc(pass: &Pass<'_>, command: &Command, first: usize) -> bool {
    let mut words = pass.words(command).into_iter().skip(first);
    words.any(|word| of_flags(pass, Some(word)))
}

/// Whether a word names the variable with the flags of CUDA's compiler.
fn of_flags(pass: &Pass<'_>, word: Option<&str>) -> bool {
    let cudas = &pass.unit.context.knowledge.builds.words;
    word.is_some_and(|word| {
        pass.table.is_for_flags(word) && (cudas.is_cudas(word.as_bytes()) || word.contains("NVCC"))
    })
}

/// An option that is looked for as it stands. Where it only has to be found, the first of the options in its place tells.
fn exact_at(pass: &mut Pass<'_>, command: &Command, at: usize, is_found: bool) {
    let Some(argument) = command.arguments.get(at).copied() else {
        return;
    };
    let pieces = split(pass.word(&argument));
    let texts: Vec<&str> = pieces.into_iter().map(|(_, one)| one).collect();
    let found = translator(pass).translate(&texts);
    match found.action {
        FlagAction::Becomes(to) if !to.is_empty() && found.words == texts.len() => {
            let to = to.get(..if is_found { 1 } else { to.len() });
            pass.edit(argument.inner, &to.unwrap_or_default().join(" "));
        }
        FlagAction::Stays if texts.len() == 1 => {}
        _ if texts.iter().any(|one| differs(pass, one)) => option_lookup(pass, &argument),
        _ => {}
    }
}

/// A pattern that options are looked for with.
fn pattern_at(pass: &mut Pass<'_>, command: &Command, at: usize) {
    let Some(argument) = command.arguments.get(at).copied() else {
        return;
    };
    let part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
    let words = pass.word(&argument).split(|one| !part(one));
    let mut options = words.filter(|one| one.starts_with('-'));
    if let Some(option) = options.find(|one| differs(pass, one.trim_end_matches('-'))) {
        match translator(pass).translate(&[option]).action {
            FlagAction::Becomes(to) if option == pass.word(&argument) && !to.is_empty() => {
                pass.edit(argument.inner, to.first().map_or("", String::as_str));
            }
            _ => option_lookup(pass, &argument),
        }
    }
}

fn option_lookup(pass: &mut Pass<'_>, argument: &Argument) {
    let shown = pass.word(argument);
    let message = format!("`{shown}` is looked for among flags: the port has no such option there");
    let help =
        "see what is done where it is found: write the option of mcc's, or leave the line out";
    pass.report(OPTION_SOUGHT, argument.inner, message, help);
}
