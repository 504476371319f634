//! Options of nvcc's in calls of the project's own functions: `add_gpu_library(x COMPILE_FLAGS -Xcompiler -Wall)`.

use super::expressions::part;
use super::flags::{is_nvccs, split};
use super::pass::Pass;
use super::words::{Takes, plain};
use torchada_diagnostic::codes::build::NO_COUNTERPART;
use torchada_syntax::cmake::Command;
use torchada_text::contains;

/// The variable with the arguments of a function that have no names.
const REST: &str = "ARGN";

/// Translate the options in a call, where one more or one less argument changes no other's meaning: behind a keyword,
/// or behind all that the function has names for.
pub(super) fn check(pass: &mut Pass<'_>, command: &Command) {
    let name = command.lower_name();
    let Some(takes) = own(pass, name) else {
        return;
    };
    let words = pass.words(command);
    let is_keyword = |word: &str| {
        word.len() > 1
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    // What stands for a name of the function's own is no keyword.
    let mut behind = words.iter().enumerate().skip(takes.named);
    let keyword = behind.find(|(_, word)| is_keyword(word));
    let first = match keyword {
        Some((at, _)) => at + 1,
        None if takes.more => takes.named,
        None => words.len(),
    };
    let has_one = |word: &str| {
        let mut options = split(word).into_iter();
        options.any(|(_, one)| is_nvccs(pass, part(one).1))
    };
    let stays = words.iter().take(first).position(|word| has_one(word));
    if words.iter().skip(first).any(|word| has_one(word)) {
        plain(pass, command, first, Takes::LIST);
    }
    if let Some(argument) = stays.and_then(|at| command.arguments.get(at)) {
        let shown = pass.word(argument);
        let message = format!("`{name}` gets `{shown}`, which has an option of nvcc's: it stays");
        let help = "see what the function does with it, and write what mcc takes";
        pass.report(NO_COUNTERPART, argument.inner, message, help);
    }
}

/// Whether a call hands one of the project's own functions a variable with flags, and one text that the function adds to
/// them: `add_flag(CMAKE_CUDA_FLAGS "-Werror all-warnings")`.
pub(super) fn adds_to_variable(pass: &Pass<'_>, command: &Command) -> bool {
    let words = pass.words(command);
    let is_variable = matches!(words.as_slice(), [one, _] if pass.table.is_for_flags(one));
    is_variable
        && own(pass, command.lower_name()).is_some_and(|takes| takes.named == 2 && !takes.more)
}

/// Whether one of the project's own functions gives no value to the variable whose name is its argument at `place`: it reads
/// the variable, or asks whether it is set.
pub(super) fn only_reads(pass: &Pass<'_>, name: &str, place: usize) -> bool {
    let Some((text, opener, mut body)) = definition(pass, name) else {
        return false;
    };
    // The first argument of a definition is the name of the function.
    let Some(parameter) = opener.arguments.get(place + 1) else {
        return false;
    };
    let variable = [b"${", parameter.inner.of(text), b"}"].concat();
    let asks = |one: &Command| ["if", "elseif", "while", "message"].contains(&one.lower_name());
    let gets_name = |one: &Command| {
        let mut arguments = one.arguments.iter();
        arguments.any(|one| one.inner.of(text) == variable)
    };
    !body.any(|one| !asks(one) && gets_name(one))
}

/// The arguments that a function takes.
struct Parameters {
    /// How many it has names for.
    named: usize,
    /// Whether it takes more.
    more: bool,
}

/// What one of the project's own functions takes.
fn own(pass: &Pass<'_>, name: &str) -> Option<Parameters> {
    let is_own = !pass.table.is_plain(name) && !pass.table.commands.contains_key(name);
    let (text, opener, mut body) = definition(pass, name).filter(|_| is_own)?;
    let more = body.any(|inner| {
        inner
            .arguments
            .iter()
            .any(|one| contains(one.inner.of(text), REST))
    });
    Some(Parameters {
        named: opener.arguments.len().saturating_sub(1),
        more,
    })
}

/// The definition of a function in this file or in one above, or else in any of the tree, as what defines functions is
/// included from everywhere: the text of the file, the command that opens the definition, and those inside it.
fn definition<'p>(
    pass: &'p Pass<'_>,
    name: &str,
) -> Option<(&'p [u8], &'p Command, impl Iterator<Item = &'p Command>)> {
    let mut files = pass.files();
    let near = files.find(|(_, file)| file.definitions(name).next().is_some());
    let (text, file) = near.or_else(|| pass.unit.project.cmake_defining(name))?;
    let at = file.definitions(name).next()?;
    Some((text, file.commands.get(at)?, file.inside(at)))
}
