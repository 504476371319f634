//! Edits that are sound by themselves, whatever the grammar makes of the code around them: it reads no macro in the place
//! of a specifier, counts errors behind one, and counts otherwise once a token there changes.

use crate::edit::Edit;
use crate::syntax::{LexOptions, Token, TokenKind, lex, syntax_errors};

/// Whether an edit needs no look at the code around it.
pub(super) fn is_sound_alone(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    is_decided_comparison(text, before, edit) || is_statement_for_statement(text, before, edit)
}

/// Whether an edit puts a number in the place of a comparison. It is an expression as before; the grammar takes a `<`
/// of a comparison for the start of template arguments, and then counts its errors otherwise.
fn is_decided_comparison(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    let mut inside = tokens_of(before, edit);
    let compares = |token: &Token| matches!(token.text(text), [b'<' | b'>' | b'=' | b'!', ..]);
    let number = lex(&edit.replacement, LexOptions::default()).tokens;
    matches!(number.as_slice(), [only] if only.kind == TokenKind::Number) && inside.any(compares)
}

/// Whether an edit puts whole statements in the place of one that stands among statements.
fn is_statement_for_statement(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    let is_end = |token: &Token| matches!(token.text(text), b";" | b"{" | b"}");
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let stands_free = from
        .checked_sub(1)
        .and_then(|at| before.get(at))
        .is_some_and(is_end);
    let is_whole = tokens_of(before, edit).last().is_some_and(is_end);
    let is_sound = |statements: &[u8]| {
        let body = [b"void f() {\n", statements, b"\n}\n"].concat();
        syntax_errors(&body) == Some(0)
    };
    stands_free
        && is_whole
        && text
            .get(edit.range.start..edit.range.end)
            .is_some_and(is_sound)
        && is_sound(&edit.replacement)
}

/// The tokens that an edit replaces.
fn tokens_of<'a>(before: &'a [Token], edit: &Edit) -> impl Iterator<Item = &'a Token> {
    let end = edit.range.end;
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let tokens = before.iter().skip(from);
    tokens.take_while(move |token| token.range().end <= end)
}
