//! The features of a GPU that a piece of code needs, as far as the table of architectures knows.

use crate::{Context, Parsed};
use torchada_mapping::{Architecture, has, starts_with_one};
use torchada_syntax::{ScopeKind, TokenKind};
use torchada_text::TextRange;

/// The row that asks most of MUSA among those that the code in these ranges needs; the row for
/// every GPU where none is recognised.
pub(super) fn needed<'a>(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'a>,
    ranges: &[TextRange],
) -> Option<&'a Architecture> {
    let rows = context.tables.architectures();
    let headers: Vec<TextRange> = ranges
        .iter()
        .filter_map(|range| header_around(source, parsed, *range))
        .collect();
    let tokens = &parsed.tokens.tokens;
    let first_from = |at: usize| tokens.partition_point(|token| token.range().start < at);
    let names: Vec<&[u8]> = ranges
        .iter()
        .chain(&headers)
        .filter_map(|range| tokens.get(first_from(range.start)..first_from(range.end)))
        .flatten()
        .filter(|token| token.kind == TokenKind::Identifier)
        .map(|token| token.text(source))
        .collect();
    let found = rows
        .iter()
        .filter(|row| row.mp.is_some())
        .filter(|row| names.iter().any(|name| shows(row, name)))
        .max_by_key(|row| row.mp);
    found.or_else(|| {
        rows.iter()
            .filter(|row| row.find.is_empty() && row.mp.is_some())
            .min_by_key(|row| row.mp)
    })
}

/// Whether a name shows that code needs the feature of a row.
fn shows(row: &Architecture, name: &[u8]) -> bool {
    let mut parts = name.split(|byte| *byte == b'_');
    starts_with_one(name, &row.find) || parts.any(|part| has(&row.words, part))
}

/// The head of the function around a piece of code: types of its parameters say what it needs.
fn header_around(source: &[u8], parsed: &Parsed, range: TextRange) -> Option<TextRange> {
    let tokens = &parsed.tokens.tokens;
    let index = tokens.partition_point(|token| token.range().start < range.start);
    let scope = parsed
        .outline
        .enclosing(index)
        .filter_map(|at| parsed.outline.scopes.get(at))
        .find(|scope| scope.kind == ScopeKind::Function)?;
    let open = scope.tokens.start;
    let first = (0..open).rev().find(|&at| {
        [";", "{", "}"]
            .iter()
            .any(|end| parsed.tokens.is(at, source, end))
    });
    let start = parsed
        .tokens
        .get(first.map_or(0, |at| at + 1))?
        .range()
        .start;
    Some(TextRange::new(
        start,
        parsed.tokens.get(open)?.range().start,
    ))
}
