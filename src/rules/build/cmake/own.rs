//! Which names are the project's own.

use super::pass::Pass;
use torchada_mapping::builds::CMakeTable;
use torchada_mapping::{has, starts_with_one};
use torchada_syntax::cmake::{Argument, Command};
use torchada_syntax::cmake_references::read_variable;
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// Whether a name is made as options of projects are: `GGML_CUDA`, `USE_CUDNN`, `TCNN_LINK_CUDA`.
pub(super) fn is_option(table: &CMakeTable, name: &str) -> bool {
    let first = name
        .split('_')
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let is_outside = has(&table.outside_fronts, first);
    is_upper(name) && name.contains('_') && !is_outside
}

pub(super) fn is_upper(name: &str) -> bool {
    name.bytes().all(|byte| !byte.is_ascii_lowercase())
}

/// Whether a name begins with a part that is none of CUDA's, so that the project gave it: `heat_cuda`, `need_nvcc`,
/// `_nvcc_flags`.
pub(super) fn is_compound(pass: &Pass<'_>, name: &str) -> bool {
    let words = &pass.unit.context.knowledge.builds.words;
    let mut fronts = pass.table.outside_fronts.iter();
    name.split_once('_').is_some_and(|(first, _)| {
        !words.is_cudas(first.as_bytes()) && !fronts.any(|front| first.eq_ignore_ascii_case(front))
    })
}

/// The name of the variable that an argument is a value of: a condition compares them, `if("${X}" STREQUAL "CUDA")`, or the
/// argument lists the variable's choices, `set_property(CACHE X PROPERTY STRINGS "CUDA;HIP")`.
pub(super) fn variable_with_value<'a>(
    pass: &Pass<'a>,
    command: &Command,
    place: usize,
) -> Option<&'a str> {
    let name = command.lower_name();
    let word = |at: usize| command.arguments.get(at).map(|one| pass.word(one));
    if name == "set_property" && place > 1 && word(0) == Some("CACHE") {
        return word(1);
    }
    let before = |by: usize| place.checked_sub(by).and_then(word);
    let is_condition = matches!(name, "if" | "elseif" | "while");
    before(1).filter(|one| is_condition && pass.table.compares(one))?;
    before(2).map(read_variable)
}

/// Whether a variable is an option of the project's own, whose choices are its own words: `if(X_BACKEND STREQUAL "CUDA")`.
pub(super) fn has_own_choices(pass: &Pass<'_>, variable: &str) -> bool {
    is_option(pass.table, variable) || is_upper(variable) && is_declared(pass, variable)
}

/// Whether a word is a keyword of a function that the tree defines: `cmake_parse_arguments(X "" "CUDA_ARCH" "" ${ARGN})`,
/// `add_kernel(NAME CUDA_ARCH 80)`. A variable or a property that `CMake` has for CUDA is none.
pub(super) fn is_own_keyword(
    pass: &Pass<'_>,
    command: &str,
    argument: &Argument,
    word: &str,
) -> bool {
    let table = pass.table;
    let is_cmakes = || {
        table.variables.contains_key(word)
            || table.properties.contains_key(word)
            || starts_with_one(word, &table.language_fronts)
    };
    command == "cmake_parse_arguments"
        || argument.range == argument.inner
            && pass.word(argument) == word
            && is_upper(word)
            && word.contains('_')
            && !is_cmakes()
            && pass.unit.project.cmake_defining(command).is_some()
}

/// Whether the argument at `place` is for people, whatever it says: a keyword before it says so, or it describes a
/// variable, `set(X "80" CACHE STRING "CUDA Architectures")`, `option(X "CUDA backend" ON)`.
pub(super) fn is_description(pass: &Pass<'_>, command: &Command, place: usize) -> bool {
    let name = command.lower_name();
    let before = |by: usize| {
        let at = place.checked_sub(by)?;
        command.arguments.get(at).map(|one| pass.word(one))
    };
    match name {
        "set" => before(2) == Some("CACHE"),
        "option" => place == 1,
        _ => before(1).is_some_and(|word| has(&pass.table.text_behind, word)),
    }
}

/// Whether a quoted argument is text for people.
pub(super) fn is_sentence(pass: &Pass<'_>, argument: &Argument) -> bool {
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
pub(super) fn is_declared(pass: &Pass<'_>, name: &str) -> bool {
    pass.declared().contains(name.as_bytes())
}

/// The path, or the name with dashes, that a word is a part of.
pub(super) fn path_around<'a>(pass: &Pass<'a>, argument: &Argument, range: TextRange) -> &'a str {
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
