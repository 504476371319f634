//! Writes a decided comparison.

use crate::cpp::CppUnit;
use torchada_project::guards::{Comparison, Operator};
use torchada_syntax::{DirectiveKind, Token, TokenKind};
use torchada_text::TextRange;

/// A comparison in a macro's body as a constant: the original goes to the end of the body, because
/// the grammar takes a comment inside for the end. Nothing with a name may stand behind it.
pub(super) fn constant_in_macro(
    unit: &CppUnit<'_>,
    comparison: &Comparison,
    constant: u8,
    original: &str,
) -> Option<(TextRange, String)> {
    let define = unit.parsed.tokens.directive_of(comparison.index)?;
    let last = unit.token(define.tokens.end.checked_sub(1)?)?.range().end;
    let behind = define
        .tokens
        .clone()
        .filter_map(|index| unit.token(index))
        .filter(|token| token.range().start >= comparison.range.end)
        .all(|token| token.kind == TokenKind::Punct);
    if define.kind != DirectiveKind::Define || !behind {
        return None;
    }
    let tail = TextRange::new(comparison.range.end, last);
    let tail = String::from_utf8_lossy(tail.of(unit.text));
    Some((
        TextRange::new(comparison.range.start, last),
        format!("{constant}{tail} /* {original} */"),
    ))
}

/// The comparison with MUSA's number, white space and brackets as they were: `>` and `<=` ask for
/// the same as `>=` and `<` with the feature's first number.
pub(super) fn threshold(
    unit: &CppUnit<'_>,
    comparison: &Comparison,
    name: &str,
    number: u32,
) -> String {
    let range = comparison.range;
    let newer = matches!(comparison.operator, Operator::AtLeast | Operator::Above);
    let operator = match (comparison.mirrored, newer) {
        (false, true) => ">=",
        (false, false) => "<",
        (true, true) => "<=",
        (true, false) => ">",
    };
    let tokens = &unit.parsed.tokens.tokens;
    let first_from = |at: usize| tokens.partition_point(|token| token.range().start < at);
    let inside = tokens.get(first_from(range.start)..first_from(range.end));
    let mut text = String::new();
    let mut from = range.start;
    let own = unit.token(comparison.index).map(Token::range);
    for token in inside.unwrap_or_default() {
        let here = token.range();
        let gap = TextRange::new(from, here.start);
        text.push_str(&String::from_utf8_lossy(gap.of(unit.text)));
        from = here.end;
        match (token.kind, token.text(unit.text)) {
            _ if own == Some(here) => text.push_str(name),
            (TokenKind::Punct, b"<" | b"<=" | b">" | b">=") => text.push_str(operator),
            (TokenKind::Number | TokenKind::Identifier, _) => text.push_str(&number.to_string()),
            (_, other) => text.push_str(&String::from_utf8_lossy(other)),
        }
    }
    text
}
