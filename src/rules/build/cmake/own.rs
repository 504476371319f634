//! Which names are the project's own.

use super::pass::Pass;
use torchada_mapping::builds::CMakeTable;
use torchada_syntax::cmake::{Argument, Command};
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// Whether a name is made as options of projects are: `GGML_CUDA`, `USE_CUDNN`, `TCNN_LINK_CUDA`.
pub(super) fn is_option(table: &CMakeTable, name: &str) -> bool {
    let first = name
        .split('_')
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let is_outside = table.outside_fronts.iter().any(|front| front == first);
    is_upper(name) && name.contains('_') && !is_outside
}

fn is_upper(name: &str) -> bool {
    name.bytes().all(|byte| !byte.is_ascii_lowercase())
}

/// Whether a name begins with a part that is none of CUDA's, so that the project gave it: `heat_cuda`, `need_nvcc`,
/// `_nvcc_flags`.
pub(super) fn is_compound(pass: &Pass<'_, '_>, name: &str) -> bool {
    let words = &pass.unit.context.knowledge.builds.words;
    let mut fronts = pass.table.outside_fronts.iter();
    name.split_once('_').is_some_and(|(first, _)| {
        !words.is_cudas(first.as_bytes()) && !fronts.any(|front| first.eq_ignore_ascii_case(front))
    })
}

/// The name of a variable that a condition compares an argument with: `if("${X}" STREQUAL "CUDA")`.
pub(super) fn compared<'a>(
    pass: &Pass<'a, '_>,
    command: &Command,
    name: &str,
    place: usize,
) -> Option<&'a str> {
    let words = pass.words(command);
    let before = |by: usize| place.checked_sub(by).and_then(|at| words.get(at).copied());
    let comparison = before(1).filter(|_| matches!(name, "if" | "elseif" | "while"))?;
    let mut comparisons = pass.table.comparisons.iter();
    comparisons.find(|one| *one == comparison)?;
    let variable = before(2)?;
    Some(variable.trim_start_matches("${").trim_end_matches('}'))
}

/// Whether an argument is one of the choices that an option of the project's own has: `if(X_BACKEND STREQUAL "CUDA")`,
/// `set_property(CACHE X_BACKEND PROPERTY STRINGS "CUDA;HIP")`.
pub(super) fn is_choice(pass: &Pass<'_, '_>, command: &Command, name: &str, place: usize) -> bool {
    let words = pass.words(command);
    let option = match words.as_slice() {
        ["CACHE", option, ..] if name == "set_property" && place > 1 => Some(*option),
        _ => compared(pass, command, name, place),
    };
    option.is_some_and(|one| is_option(pass.table, one) || is_upper(one) && is_declared(pass, one))
}

/// Whether a word is a keyword of a function that the project wrote: `cmake_parse_arguments(X "" "CUDA_ARCH" "" ${ARGN})`,
/// `add_kernel(NAME CUDA_ARCH 80)`.
pub(super) fn is_keyword(pass: &Pass<'_, '_>, name: &str, argument: &Argument, word: &str) -> bool {
    if name == "cmake_parse_arguments" {
        return true;
    }
    let table = pass.table;
    let is_cmakes = |word: &str| {
        let mut fronts = table.language_fronts.iter();
        let known = table.variables.contains_key(word) || table.properties.contains_key(word);
        known
            || word == table.standard.property
            || fronts.any(|front| word.starts_with(front.as_str()))
    };
    let mut plain = table.plain_commands.iter().map(String::as_str);
    let mut makers = table.all_makers();
    let is_own_function = !plain.any(|one| one == name) && !makers.any(|one| one == name);
    is_own_function
        && argument.range == argument.inner
        && pass.word(argument) == word
        && is_upper(word)
        && word.contains('_')
        && !is_cmakes(word)
}

/// Whether a quoted argument is text for people.
pub(super) fn is_sentence(pass: &Pass<'_, '_>, argument: &Argument) -> bool {
    let word = pass.word(argument);
    let blanks = word.bytes().filter(|&byte| byte == b' ').count();
    // `"Enable CUDA"`
    let is_capital = word.starts_with(|one: char| one.is_ascii_uppercase());
    let first = word.split(' ').next().unwrap_or_default();
    let mut rest = first.bytes().skip(1);
    let begins = is_capital && first.len() > 1 && rest.all(|byte| byte.is_ascii_lowercase());
    (blanks >= 2 || blanks == 1 && begins) && !word.trim_start().starts_with(['-', '$'])
}

/// Whether this file or one above gives a name a value, or makes a target of it.
pub(super) fn is_declared(pass: &Pass<'_, '_>, name: &str) -> bool {
    pass.declared().contains(name.as_bytes())
}

/// The path, or the name with dashes, that a word is a part of.
pub(super) fn path_around<'a>(
    pass: &Pass<'a, '_>,
    argument: &Argument,
    range: TextRange,
) -> &'a str {
    let text = pass.unit.text;
    let is_part =
        |byte: &u8| is_identifier_part(*byte) || matches!(byte, b'/' | b'.' | b'-' | b'+');
    let front = text
        .get(argument.inner.start..range.start)
        .unwrap_or_default();
    let back = text.get(range.end..argument.inner.end).unwrap_or_default();
    let before = front.iter().rev().take_while(|byte| is_part(byte)).count();
    let behind = back.iter().take_while(|byte| is_part(byte)).count();
    let around = TextRange::new(range.start - before, range.end + behind);
    pass.text_of(around)
        .trim_start_matches(['.', '/'])
        .trim_end_matches('/')
}
