//! Names of libraries' files in strings.

use crate::python::ModuleView;
use torchada_mapping::{Row, Section};
use torchada_syntax::python::Literal;
use torchada_text::TextRange;

/// The option by which a linker takes a file by its whole name.
const LINKED: &str = "-l:";

/// The name of a library's file in a string.
pub struct FileName<'a> {
    /// The row of the library's file.
    pub row: &'a Row,
    /// The part of the string's value that is the file's name, with its version.
    pub part: TextRange,
    /// Whether the string names no folder before the file.
    pub has_no_folder: bool,
    /// Whether it is an option that has a linker take the file: `-l:libnccl.so.2`.
    pub is_linked: bool,
    /// Whether the string has the whole name of a file, not a pattern or a part of one.
    pub is_whole_name: bool,
}

/// The library's file that a string names, with or without a folder before it.
pub fn file_name<'a>(unit: &ModuleView<'a>, literal: &Literal) -> Option<FileName<'a>> {
    let known = &unit.context.knowledge.python_strings.libraries;
    let text = std::str::from_utf8(literal.value()).ok()?;
    // A text with spaces is no name of a file.
    if text.contains(|one: char| one.is_whitespace()) {
        return None;
    }
    let linked = text
        .strip_prefix(LINKED)
        .map(|rest| text.len() - rest.len());
    let start = linked.or_else(|| Some(text.rfind(['/', '\\'])? + 1));
    let start = start.unwrap_or(0);
    let name = text.get(start..)?;
    let stem = name.strip_prefix(known.prefix.as_str())?;
    let end = stem.find(|one: char| !(one.is_ascii_alphanumeric() || one == '-' || one == '_'));
    let (stem, rest) = stem.split_at(end.unwrap_or(stem.len()));
    let row = |end: &str| {
        let file = format!("{}{stem}{end}", known.prefix);
        unit.context.row(Section::LibraryFiles, file.as_bytes())
    };
    let first = known.suffixes.first()?;
    // `libcuda.so.1` has a row of its own.
    let row = row(rest).or_else(|| row(first))?;
    let version = known
        .suffixes
        .iter()
        .find_map(|suffix| rest.strip_prefix(suffix.as_str()));
    let is_version = |version: &str| {
        version
            .bytes()
            .all(|byte| byte == b'.' || byte.is_ascii_digit())
    };
    Some(FileName {
        row,
        part: TextRange::new(start, text.len()),
        has_no_folder: start == 0 || linked.is_some(),
        is_linked: linked.is_some(),
        is_whole_name: version.is_some_and(is_version),
    })
}
