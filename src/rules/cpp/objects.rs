//! Members, and the objects whose they are.

use super::CppUnit;
use torchada_syntax::{TokenKind, opening_bracket};

/// The longest expression before a member that is followed, in tokens.
const LONGEST: usize = 200;

/// The first token of the object whose member is named at `member`: of `a.b[i]->c` in `a.b[i]->c.is_cuda()`.
pub(super) fn object(unit: &CppUnit<'_>, member: usize) -> Option<usize> {
    let mut at = member.checked_sub(1)?;
    loop {
        at = at.checked_sub(1)?;
        match unit.word(at) {
            b")" | b"]" => {
                at = opening_bracket(|at| unit.word(at), at.saturating_sub(LONGEST), at)?;
                // `f(x)`, `a[i][j]`, but `(*a)` by itself.
                let before = at.checked_sub(1)?;
                let word = unit.word(before);
                if is_name(unit, before) || matches!(word, b")" | b"]") {
                    continue;
                }
                // `get<0>(x)`
                return (unit.word(at) == b"(" && word != b">").then_some(at);
            }
            _ if is_name(unit, at) => match unit.word_before(at, 1) {
                b"." | b"->" | b"::" => at = at.checked_sub(1)?,
                _ => return Some(at),
            },
            _ => return None,
        }
        if member - at > LONGEST {
            return None;
        }
    }
}

fn is_name(unit: &CppUnit<'_>, at: usize) -> bool {
    let is_keyword = matches!(unit.word(at), b"return" | b"if" | b"while" | b"switch");
    unit.token(at)
        .is_some_and(|token| token.kind == TokenKind::Identifier)
        && !is_keyword
}
