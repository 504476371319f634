//! Edits that are sound by themselves, whatever the grammar makes of the code around them: it reads no macro in the place
//! of a specifier, counts errors behind one, and counts otherwise once a token there changes.

use rustc_hash::FxHashMap;

use crate::edit::Edit;
use crate::syntax::{LexOptions, Token, TokenKind, lex, syntax_errors};

/// Recognises edits of one file that are sound by themselves.
#[derive(Default)]
pub(super) struct Sound {
    /// Whether statements parse where each run of digits in them is a zero: those that differ in numbers alone, of which
    /// generated code is full, parse alike.
    statements: FxHashMap<Vec<u8>, bool>,
}

impl Sound {
    /// Whether an edit needs no look at the code around it.
    pub(super) fn is_alone(&mut self, text: &[u8], before: &[Token], edit: &Edit) -> bool {
        is_decided_comparison(text, before, edit)
            || stands_among_statements(text, before, edit) && self.parses(&edit.replacement)
    }

    /// Whether statements are the whole body of a function.
    fn parses(&mut self, statements: &[u8]) -> bool {
        let mut shape = statements.to_vec();
        shape.dedup_by(|next, last| next.is_ascii_digit() && last.is_ascii_digit());
        for byte in shape.iter_mut().filter(|byte| byte.is_ascii_digit()) {
            *byte = b'0';
        }
        *self.statements.entry(shape).or_insert_with_key(|shape| {
            let body = [b"void f() {\n", shape.as_slice(), b"\n}\n"].concat();
            syntax_errors(&body) == Some(0)
        })
    }
}

/// Whether an edit puts a number in the place of a comparison. It is an expression as before; the grammar takes a `<`
/// of a comparison for the start of template arguments, and then counts its errors otherwise.
fn is_decided_comparison(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    let mut inside = tokens_of(before, edit);
    let compares = |token: &Token| matches!(token.text(text), [b'<' | b'>' | b'=' | b'!', ..]);
    let number = lex(&edit.replacement, LexOptions::default()).tokens;
    matches!(number.as_slice(), [only] if only.kind == TokenKind::Number) && inside.any(compares)
}

/// Whether an edit replaces a whole statement that stands among statements.
fn stands_among_statements(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    let is_end = |token: &Token| matches!(token.text(text), b";" | b"{" | b"}");
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let last_before = from.checked_sub(1).and_then(|at| before.get(at));
    let mut depth = 0_usize;
    let mut is_balanced = true;
    for token in tokens_of(before, edit) {
        match token.text(text) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" if depth == 0 => is_balanced = false,
            b")" | b"]" | b"}" => depth -= 1,
            _ => {}
        }
    }
    is_balanced
        && depth == 0
        && last_before.is_some_and(is_end)
        && tokens_of(before, edit).last().is_some_and(is_end)
}

/// The tokens that an edit replaces.
fn tokens_of<'a>(before: &'a [Token], edit: &Edit) -> impl Iterator<Item = &'a Token> {
    let end = edit.range.end;
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let tokens = before.iter().skip(from);
    tokens.take_while(move |token| token.range().end <= end)
}
