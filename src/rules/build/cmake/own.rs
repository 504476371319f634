//! Which names are the project's own.

use super::pass::Pass;
use torchada_mapping::builds::CMakeTable;
use torchada_syntax::cmake::Argument;
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// Whether a name is made as options of projects are: `GGML_CUDA`, `USE_CUDNN`, `TCNN_LINK_CUDA`.
pub(super) fn is_option(table: &CMakeTable, name: &str) -> bool {
    let upper = name.bytes().all(|byte| !byte.is_ascii_lowercase());
    let first = name
        .split('_')
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let is_outside = table.outside_fronts.iter().any(|front| front == first);
    upper && name.contains('_') && !is_outside
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
