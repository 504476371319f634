//! How items and statements are taken out of a module, and put into one.

use crate::python::ModuleView;
use torchada_syntax::python::NodeId;
use torchada_text::{TextRange, line_start};

/// The ranges to remove so that some items of a list are gone, with their commas, and with their lines where nothing
/// else stands on them. Comments stay. A comma in front of the last item is left where `keeps_comma` says so: it makes
/// a tuple of one.
pub(super) fn removal_ranges(
    text: &[u8],
    items: &[(TextRange, bool)],
    keeps_comma: bool,
) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(&(first, gone)) = items.get(from) {
        from += 1;
        if !gone {
            continue;
        }
        // What follows on the same line goes together.
        let mut last = first;
        while let Some(&(next, true)) = items.get(from)
            && !slice(text, last.end, next.start).contains(&b'\n')
        {
            last = next;
            from += 1;
        }
        found.push(removal(text, first.start, last.end, keeps_comma));
    }
    found
}

fn removal(text: &[u8], start: usize, end: usize, keeps_comma: bool) -> TextRange {
    let comma = comma_behind(text, end);
    let end = comma.map_or(end, |comma| comma + 1);
    let line = line_start(text, start);
    let alone_before = is_blank(slice(text, line, start));
    let line_end = line_end(text, end);
    let alone_behind = is_blank(slice(text, end, line_end));
    if alone_before && alone_behind {
        let behind = (line_end + 1).min(text.len());
        return TextRange::new(line, behind);
    }
    if alone_behind && comma.is_some() {
        return TextRange::new(start - blanks_before(text, start), end);
    }
    if comma.is_some() || alone_before {
        let blanks = slice(text, end, line_end)
            .iter()
            .take_while(|&&byte| is_space(byte))
            .count();
        let blanks = if comma.is_some() { blanks } else { 0 };
        return TextRange::new(start, end + blanks);
    }
    let start = start - blanks_before(text, start);
    let comma = start.checked_sub(1);
    let has_comma = comma.is_some_and(|at| text.get(at) == Some(&b','));
    let start = comma.filter(|_| has_comma && !keeps_comma).unwrap_or(start);
    TextRange::new(start, end)
}

/// The range to remove so that a statement is gone: its line, where nothing else stands on it.
pub(super) fn without_statement(text: &[u8], range: TextRange) -> Option<TextRange> {
    let line = line_start(text, range.start);
    let end = line_end(text, range.end);
    let alone = is_blank(slice(text, line, range.start)) && is_blank(slice(text, range.end, end));
    alone.then(|| TextRange::new(line, (end + 1).min(text.len())))
}

/// The place behind a statement for another one, and the text of that one with the separator between the two.
pub(super) fn insertion_behind(
    unit: &ModuleView<'_>,
    statement: NodeId,
    written: &str,
) -> (TextRange, String) {
    let text = unit.text;
    let range = unit.module.tree.range(statement);
    let line = line_start(text, range.start);
    let indent = slice(text, line, range.start);
    let end = line_end(text, range.end);
    let rest = slice(text, range.end, end).trim_ascii_start();
    let is_free = rest.is_empty() || rest.starts_with(b"#");
    if !is_blank(indent) || !is_free {
        return (TextRange::new(range.end, range.end), format!("; {written}"));
    }
    let returns = text.get(end.wrapping_sub(1)) == Some(&b'\r');
    let at = if returns { end - 1 } else { end };
    let new_line = if returns { "\r\n" } else { "\n" };
    let indent = String::from_utf8_lossy(indent);
    (
        TextRange::new(at, at),
        format!("{new_line}{indent}{written}"),
    )
}

fn comma_behind(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let at = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    (rest.get(at) == Some(&b',')).then_some(end + at)
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', slice(text, at, text.len())).map_or(text.len(), |end| at + end)
}

fn slice(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end).unwrap_or_default()
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn blanks_before(text: &[u8], at: usize) -> usize {
    let before = slice(text, 0, at).iter().rev();
    before.take_while(|&&byte| is_space(byte)).count()
}
