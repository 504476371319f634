//! What a piece of code needs of a GPU, as far as the table of architectures knows.

use crate::mapping::Architecture;
use crate::project::{Lore, Parsed};
use crate::syntax::TokenKind;
use crate::text::TextRange;

/// The row that asks most of MUSA among those that the code in these ranges needs; the row for
/// every GPU where none is recognised.
pub(super) fn needed<'a>(
    source: &[u8],
    parsed: &Parsed,
    lore: Lore<'a>,
    ranges: &[TextRange],
) -> Option<&'a Architecture> {
    let rows = lore.tables.architectures();
    let in_ranges = |at: usize| ranges.iter().any(|range| range.contains(at));
    let tokens = parsed.tokens.tokens.iter();
    let names: Vec<&[u8]> = tokens
        .filter(|token| token.kind == TokenKind::Identifier && in_ranges(token.range().start))
        .map(|token| token.text(source))
        .collect();
    let found = rows
        .iter()
        .filter(|row| row.mp.is_some())
        .filter(|row| {
            row.find
                .iter()
                .any(|front| names.iter().any(|name| name.starts_with(front.as_bytes())))
        })
        .max_by_key(|row| row.mp);
    found.or_else(|| {
        rows.iter()
            .filter(|row| row.find.is_empty() && row.mp.is_some())
            .min_by_key(|row| row.mp)
    })
}
