//! Names of libraries' files in strings.

use super::super::ModuleView;
use crate::mapping::{Row, Section};
use crate::syntax::python::Literal;
use crate::text::TextRange;

/// The name of a library's file in a string.
pub struct FileName<'a> {
    /// What is known of it.
    pub row: &'a Row,
    /// The part of the value that is the name, its version among it.
    pub part: TextRange,
    /// Whether no folder stands before it.
    pub alone: bool,
    /// Whether it is the whole name of a file.
    pub exact: bool,
}

/// The library's file that a string names, with or without a folder before it.
pub fn file_name<'a>(unit: &ModuleView<'a>, literal: &Literal) -> Option<FileName<'a>> {
    let known = &unit.context.knowledge.python_strings.libraries;
    let text = std::str::from_utf8(literal.value()).ok()?;
    // Texts are no names.
    if text.contains(|one: char| one.is_whitespace()) {
        return None;
    }
    let start = text.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let name = text.get(start..)?;
    let stem = name.strip_prefix(known.prefix.as_str())?;
    let end = stem.find(|one: char| !(one.is_ascii_alphanumeric() || one == '-' || one == '_'));
    let (stem, rest) = stem.split_at(end.unwrap_or(stem.len()));
    let row = |end: &str| {
        let file = format!("{}{stem}{end}", known.prefix);
        unit.context
            .tables
            .get(Section::LibraryFiles, file.as_bytes())
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
        alone: start == 0,
        exact: version.is_some_and(is_version),
    })
}
