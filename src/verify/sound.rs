//! Edits that are sound by themselves, whatever the grammar makes of the code around them: it reads no macro in the place
//! of a specifier, counts errors behind one, and counts otherwise once a token there changes.

use rustc_hash::FxHashMap;

use crate::edit::{Applied, Edit};
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

    /// Whether the statement that an edit lies in parses by itself, with all edits in it: then nothing around it is read
    /// otherwise.
    pub(super) fn is_in_its_statement(
        &mut self,
        text: &[u8],
        before: &[Token],
        edit: &Edit,
        applied: &Applied,
    ) -> bool {
        surroundings(text, before, edit, applied).is_some_and(|statement| self.parses(&statement))
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

/// How many tokens of a statement are looked at, around an edit in it.
const LONGEST: usize = 1000;

/// The statement that an edit lies in, with all edits in it, or the head of a block with an empty one. `None` where a directive
/// parts it, or where it is too long.
fn surroundings(text: &[u8], before: &[Token], edit: &Edit, applied: &Applied) -> Option<Vec<u8>> {
    let is_end = |token: &Token| matches!(token.text(text), b";" | b"{" | b"}");
    let at = before.partition_point(|token| token.range().end <= edit.range.start);
    let mut front = (at.saturating_sub(LONGEST)..at).rev();
    let last = front.find(|&one| before.get(one).is_some_and(is_end))?;
    let tokens = before.get(last + 1..)?;
    let (mut brackets, mut braces) = (0_usize, 0_usize);
    let length = tokens.iter().take(LONGEST).position(|token| {
        let mark = token.text(text);
        let is_behind = token.range().start >= edit.range.end;
        if is_behind && brackets == 0 && braces == 0 && is_end(token) {
            return true;
        }
        match mark {
            b"(" | b"[" => brackets += 1,
            b")" | b"]" => brackets = brackets.saturating_sub(1),
            b"{" => braces += 1,
            b"}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        false
    })?;
    let whole = before.get(last..=last + 1 + length)?;
    if whole.iter().any(|token| token.in_directive) {
        return None;
    }
    let [first, inside @ .., end] = whole else {
        return None;
    };
    // What ends statements is a byte, and no edit takes it.
    let place = |token: &Token| {
        let place = applied.map.to_output(token.range().start);
        let byte = applied.text.get(place)?;
        (token.text(text) == [*byte]).then_some(place)
    };
    let (from, to) = (place(first)? + 1, place(end)?);
    let is_else = inside
        .first()
        .is_some_and(|token| token.text(text) == b"else");
    let opens: &[u8] = if is_else { b"if (x) ; " } else { b"" };
    let closes: &[u8] = match end.text(text) {
        b"{" => b"{};",
        _ => b";",
    };
    Some([opens, applied.text.get(from..to)?, closes].concat())
}

/// The tokens that an edit replaces.
fn tokens_of<'a>(before: &'a [Token], edit: &Edit) -> impl Iterator<Item = &'a Token> {
    let end = edit.range.end;
    let from = before.partition_point(|token| token.range().end <= edit.range.start);
    let tokens = before.iter().skip(from);
    tokens.take_while(move |token| token.range().end <= end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditSet, GroupId};
    use crate::text::TextRange;

    /// What is parsed of a text in which `is_cuda()` becomes a comparison.
    fn parsed(text: &str) -> Option<String> {
        let old = "is_cuda()";
        let start = text.find(old).expect("it stands there");
        let range = TextRange::new(start, start + old.len());
        let edit = Edit::rewrite(range, "type() == T", "test", None, GroupId(0));
        let mut edits = EditSet::default();
        edits.insert(edit.clone()).expect("free");
        let before = lex(text.as_bytes(), LexOptions::default()).tokens;
        let applied = edits.apply(text.as_bytes());
        let statement = surroundings(text.as_bytes(), &before, &edit, &applied)?;
        assert!(Sound::default().is_in_its_statement(text.as_bytes(), &before, &edit, &applied));
        String::from_utf8(statement).ok()
    }

    #[test]
    fn the_statement_around_an_edit_is_parsed_by_itself() {
        let found = [
            "{ f(x.is_cuda(), [] { g(); }); h(); }",
            "{ if (a) {} else if (x.is_cuda()) { g(); } }",
            "{ for (;x.is_cuda();) {} }",
            "{ f({x.is_cuda()}); }",
        ]
        .map(parsed);
        let expected = [
            " f(x.type() == T, [] { g(); });",
            "if (x) ;  else if (x.type() == T) {};",
            "x.type() == T;",
            "x.type() == T;",
        ];
        assert_eq!(found, expected.map(|one| Some(one.to_owned())));
        assert_eq!(
            parsed("{ f(x.is_cuda(),\n#if A\n1\n#else\n2\n#endif\n); }"),
            None
        );
    }
}
