//! Edits that are sound by themselves, whatever the grammar makes of the code around them: it reads no macro in the place
//! of a specifier, counts errors behind one, and counts otherwise once a token there changes.

use rustc_hash::FxHashMap;

use crate::edit::Edit;
use crate::syntax::ptx::is_asm_keyword;
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
        if is_decided_comparison(text, before, edit) {
            return true;
        }
        match statement(text, before, edit) {
            Some(Statement::AmongOthers) => self.parses(&edit.replacement),
            // Several statements would end the `if` before its `else`.
            Some(Statement::Single) => {
                self.parses(&[b"if (x)\n", edit.replacement.as_slice(), b"\nelse ;"].concat())
            }
            None => false,
        }
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

/// Where a whole statement stands.
enum Statement {
    /// Among statements, where several may take its place.
    AmongOthers,
    /// Behind a condition, an `else` or a label, where one may.
    Single,
}

/// Whether an edit puts a number in the place of a comparison. It is an expression as before; the grammar takes a `<`
/// of a comparison for the start of template arguments, and then counts its errors otherwise.
fn is_decided_comparison(text: &[u8], before: &[Token], edit: &Edit) -> bool {
    let mut inside = tokens_of(before, edit);
    let compares = |token: &Token| matches!(token.text(text), [b'<' | b'>' | b'=' | b'!', ..]);
    let number = lex(&edit.replacement, LexOptions::default()).tokens;
    matches!(number.as_slice(), [only] if only.kind == TokenKind::Number) && inside.any(compares)
}

/// Where the statement stands that an edit replaces; `None` where it replaces no whole one.
fn statement(text: &[u8], before: &[Token], edit: &Edit) -> Option<Statement> {
    let is_end = |token: &Token| matches!(token.text(text), b";" | b"{" | b"}");
    let mut depth = 0_usize;
    for token in tokens_of(before, edit) {
        match token.text(text) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    tokens_of(before, edit).last().filter(|last| is_end(last))?;
    if depth > 0 {
        return None;
    }
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let mut front = before.get(..from)?.iter().rev();
    let last = front.find(|token| !token.in_directive)?;
    if is_end(last) {
        return Some(Statement::AmongOthers);
    }
    // Behind what else ends so, an expression may go on.
    let is_assembly = tokens_of(before, edit)
        .next()
        .is_some_and(|first| is_asm_keyword(first.text(text)));
    let is_behind = matches!(last.text(text), b")" | b"else" | b"do" | b":");
    (is_assembly && is_behind).then_some(Statement::Single)
}

/// The tokens that an edit replaces.
fn tokens_of<'a>(before: &'a [Token], edit: &Edit) -> impl Iterator<Item = &'a Token> {
    let end = edit.range.end;
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let tokens = before.iter().skip(from);
    tokens.take_while(move |token| token.range().end <= end)
}
