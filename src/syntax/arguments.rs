//! The arguments of a call or of a macro's use, by tokens: a macro's body has no outline.

use std::ops::Range;

use super::{TokenKind, Tokens};

/// The longest argument list that is followed, in tokens.
const LONGEST: usize = 10_000;

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
