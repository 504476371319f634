//! Finds the C++ that a port wrote in place of inline PTX, in text that a patch added, and the PTX in its comment.

use crate::ptx;
use crate::syntax::ptx::is_asm_keyword;
use crate::syntax::{LexOptions, identifier_at, lex};
use crate::text::{TextRange, line_start};

/// C++ that a port wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written {
    /// Its place, with its comment.
    pub(super) place: TextRange,
    /// What it may have been in the tree, the likeliest first. A port of it shows whether it was.
    pub(super) options: Vec<Vec<u8>>,
}

/// What a port wrote in a stretch of a text, in order: translated statements, and includes of their header. Where
/// nothing tells what it was, there are no options.
pub(super) fn written(text: &[u8], range: TextRange) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = line_end(text, start, range.end);
        match on_line(text, start, end, range.end) {
            // More may stand behind it on its last line.
            Some(one) => {
                start = one.place.end.max(start + 1);
                found.push(one);
            }
            None => start = end + 1,
        }
    }
    found
}

/// The white space at the beginning of the line with a place.
fn indent_of(text: &[u8], place: usize) -> &[u8] {
    let line = text.get(line_start(text, place)..).unwrap_or_default();
    let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    line.get(..blank.count()).unwrap_or_default()
}

/// The end of the statement that begins at `from`: behind its `;`.
fn statement_end(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let code = text.get(from..limit)?;
    let mut depth = 0_usize;
    for token in lex(code, LexOptions::default()).tokens {
        match token.text(code) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.checked_sub(1)?,
            b";" if depth == 0 => return Some(from + token.range().end),
            _ => {}
        }
    }
    None
}

/// The end of the line at `start`, without what ends it.
fn line_end(text: &[u8], start: usize, limit: usize) -> usize {
    let rest = text.get(start..limit).unwrap_or_default();
    start + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

fn on_line(text: &[u8], start: usize, end: usize, limit: usize) -> Option<Written> {
    let line = text.get(start..end)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if is_include(line) {
        let end = limit.min(end + 1);
        return Some(Written {
            place: TextRange::new(start, end),
            options: vec![Vec::new()],
        });
    }
    let (open, close, at) = ["// ", "/* "].iter().find_map(|mark| {
        let mut places = memchr::memmem::find_iter(line, mark);
        let at = places.find(|at| opens_assembly(line.get(at + 3..).unwrap_or_default()))?;
        let close: &[u8] = if *mark == "// " { b"" } else { b" */" };
        Some((at, close, at + 3))
    })?;
    let front = line.get(..open)?;
    let rest = line.get(at..)?;
    let length = if close.is_empty() {
        rest.len()
    } else {
        memchr::memmem::find(rest, close)?
    };
    let ptx = rest.get(..length)?;
    let before = front.trim_ascii_end();
    let is_alone = before.is_empty();
    let place = if close.is_empty() && is_alone {
        // The statement stands on the line behind its comment.
        let next = (end + 1).min(limit);
        let end = statement_end(text, next, line_end(text, next, limit))?;
        TextRange::new(start + open, end)
    } else if close.is_empty() {
        let brace = before.len().checked_sub(1)?;
        (before.get(brace) == Some(&b'{')).then_some(())?;
        TextRange::new(
            start + brace,
            closed(text, end, limit, indent_of(text, start))?,
        )
    } else {
        let behind = start + at + length + close.len();
        let is_macro = in_macro(text, start);
        if is_macro || !(is_alone || matches!(before.last(), Some(b';' | b'{' | b'}'))) {
            // The statements before it in a macro have no comments.
            return Some(Written {
                place: TextRange::new(start + open, behind),
                options: Vec::new(),
            });
        }
        let has_end = text.get(behind..limit)?.starts_with(b" ;");
        TextRange::new(start + open, behind + 2 * usize::from(has_end))
    };
    // A comment inside a comment is written with a space.
    let inner = String::from_utf8_lossy(ptx);
    let inner = inner.replace("/ *", "/*").replace("* /", "*/");
    let mut options = vec![ptx.to_vec()];
    if inner.as_bytes() != ptx {
        options.push(inner.into_bytes());
    }
    Some(Written { place, options })
}

/// Whether a line includes the header of the translations.
fn is_include(line: &[u8]) -> bool {
    let name = line
        .strip_prefix(b"#include \"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    name.is_some_and(|name| name.ends_with(ptx::FILE.as_bytes()))
}

fn opens_assembly(text: &[u8]) -> bool {
    is_asm_keyword(identifier_at(text, 0).of(text))
}

/// The end of the block whose first line ends at `from`: its bracket stands below the beginning of that line.
fn closed(text: &[u8], from: usize, limit: usize, indent: &[u8]) -> Option<usize> {
    let mut start = from + 1;
    while start < limit {
        let end = line_end(text, start, limit);
        let line = text.get(start..end)?;
        if line.strip_prefix(indent)?.starts_with(b"}") {
            return Some(start + indent.len() + 1);
        }
        start = end + 1;
    }
    None
}

/// Whether the line with a place belongs to the body of a macro.
fn in_macro(text: &[u8], place: usize) -> bool {
    let start = line_start(text, place);
    let line = text.get(start..).unwrap_or_default().trim_ascii_start();
    let before = text.get(..start.saturating_sub(1)).unwrap_or_default();
    line.starts_with(b"#") || before.trim_ascii_end().ends_with(b"\\")
}
