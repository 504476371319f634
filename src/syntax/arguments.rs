//! The arguments of a call, of a macro's use or of a template, by tokens: a macro's body has no outline.

use std::ops::Range;

use super::{TokenKind, Tokens};

/// The longest argument list that is followed, in tokens.
const LONGEST: usize = 10_000;

/// The longest list of a template's arguments that is followed, in tokens: a `<` may only compare.
const LONGEST_ANGLED: usize = 400;

/// The token ranges of the arguments in the parentheses that open at `open`; one empty range where there is nothing
/// between them, and `None` where `open` is no `(` or nothing closes it.
pub fn arguments(source: &[u8], tokens: &Tokens, open: usize) -> Option<Vec<Range<usize>>> {
    if !tokens.is(open, source, "(") {
        return None;
    }
    let mut depth = 0_usize;
    let mut start = open + 1;
    let mut found = Vec::new();
    for index in open..tokens.tokens.len().min(open + LONGEST) {
        let token = tokens.get(index)?;
        if token.kind != TokenKind::Punct {
            continue;
        }
        match token.text(source) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    found.push(start..index);
                    return Some(found);
                }
            }
            b"," if depth == 1 => {
                found.push(start..index);
                start = index + 1;
            }
            _ => {}
        }
    }
    None
}

/// The token ranges of the arguments or parameters of a template whose `<` stands at `open`, and where its `>` stands;
/// `None` where the `<` compares.
pub fn template_arguments(
    source: &[u8],
    tokens: &Tokens,
    open: usize,
) -> Option<(Vec<Range<usize>>, usize)> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, open + 1);
    for at in open..open + LONGEST_ANGLED {
        let closes = match tokens.get(at)?.text(source) {
            b"<" | b"(" | b"[" => {
                depth += 1;
                0
            }
            b"{" | b"}" | b";" | b"&&" | b"||" => return None,
            b")" | b"]" | b">" => 1,
            b">>" => 2,
            b"," if depth == 1 => {
                found.push(start..at);
                start = at + 1;
                0
            }
            _ => 0,
        };
        if closes > 0 {
            depth = depth.saturating_sub(closes);
            if depth == 0 {
                found.push(start..at);
                return Some((found, at));
            }
        }
    }
    None
}

/// The `(` that opens the arguments of a call of what is named at `name`: right behind it, or behind its template
/// arguments.
pub fn call_parenthesis(source: &[u8], tokens: &Tokens, name: usize) -> Option<usize> {
    let next = name + 1;
    if tokens.is(next, source, "(") {
        return Some(next);
    }
    let (_, close) = tokens
        .is(next, source, "<")
        .then(|| template_arguments(source, tokens, next))??;
    tokens.is(close + 1, source, "(").then_some(close + 1)
}
/// The bracket that the one at `close` closes, no earlier than at `from`, where `word` gives the tokens' words. The outline
/// has no brackets in a macro's body, so they are counted.
pub fn opening_bracket<'t>(
    word: impl Fn(usize) -> &'t [u8],
    from: usize,
    close: usize,
) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (from..=close).rev() {
        match word(at) {
            b")" | b"]" => depth += 1,
            b"(" | b"[" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
