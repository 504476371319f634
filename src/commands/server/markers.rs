//! Where a comment goes that hides a finding.

use std::path::Path;

use lsp_types::{Position, Range, TextEdit};

use super::lines::Lines;
use crate::classify::{FileKind, classify};
use crate::mapping::knowledge::Knowledge;
use crate::syntax::python::{Kind, Module};
use crate::syntax::{LexOptions, lex};

/// The edit that puts a marker for a code above the line of a finding. A directive counts as one line, so its marker stands
/// above it; `None` for a finding about a whole file, and where no comment can stand.
pub(super) fn marker(
    text: &str,
    lines: &Lines,
    path: &Path,
    finding: Range,
    code: &str,
) -> Option<TextEdit> {
    let comment = comment(path, text.as_bytes())?;
    let start = Position::new(0, 0);
    if finding == Range::new(start, start) {
        return None;
    }
    let mut line = finding.start.line;
    let line_of = |line: u32| {
        let start = lines.start(line)?;
        let end = lines.start(line + 1).unwrap_or(text.len());
        text.get(start..end)
    };
    let continues = |line: u32| line_of(line).is_some_and(|one| one.trim_end().ends_with('\\'));
    while line > 0 && continues(line - 1) {
        line -= 1;
    }
    let is_python = comment == "#" && path.extension().is_some_and(|one| one == "py");
    if is_python && line != finding.start.line {
        return None;
    }
    let at = lines.start(line)?;
    if is_inside(text, at, comment == "//", is_python) {
        return None;
    }
    let own = line_of(line)?;
    let indent = own.get(..own.len() - own.trim_start_matches([' ', '\t']).len())?;
    let end = if own.ends_with("\r\n") { "\r\n" } else { "\n" };
    let place = Position::new(line, 0);
    Some(TextEdit {
        range: Range::new(place, place),
        new_text: format!("{indent}{comment} torchada: ignore[{code}]{end}"),
    })
}

/// Whether a byte lies inside a string or a comment, where a line would change what it says.
fn is_inside(text: &str, at: usize, is_cpp: bool, is_python: bool) -> bool {
    let bytes = text.as_bytes();
    if is_cpp {
        let tokens = lex(bytes, LexOptions { template: false });
        let code = tokens.tokens.iter().map(|token| token.range());
        let mut all = code.chain(tokens.comments.iter().copied());
        return all.any(|range| range.start < at && at < range.end);
    }
    let strings = |module: Module<'_>| {
        let tree = &module.tree;
        let mut strings = tree.of(Kind::Str).map(|node| tree.range(node));
        strings.any(|range| range.start < at && at < range.end)
    };
    is_python && Module::new(bytes).is_none_or(strings)
}

/// What a file's comments begin with; `None` where it has none that may hold markers.
fn comment(path: &Path, text: &[u8]) -> Option<&'static str> {
    let knowledge = Knowledge::builtin();
    let class = classify(path, text, &knowledge.files);
    let name = path.to_string_lossy();
    match class.kind {
        kind if kind.is_cpp() || kind == FileKind::Musa => Some("//"),
        FileKind::Python if knowledge.embedded.notebook.has(&name) => None,
        FileKind::Python => Some("#"),
        _ => class.language.map(|_| "#"),
    }
}
