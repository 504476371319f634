//! Names that a template builds from a piece of CUDA's and a placeholder.

use super::CppUnit;
use crate::Outcome;
use torchada_diagnostic::codes::cpp::UNREACHABLE;
use torchada_mapping::{Stem, Tables};
use torchada_syntax::{Token, TokenKind};

/// `cuda{{ call }}`: the front of a name that a template builds.
pub(super) fn template_stem(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, token: Token) {
    let text = token.text(unit.text);
    if !glued_to_placeholder(unit, index, token) || unit.foreign(token.range()).is_some() {
        return;
    }
    if let Some(stem) = stem(unit.context.tables, text) {
        let shown = String::from_utf8_lossy(text).into_owned();
        let message = format!("`{shown}` is part of a name that a template builds");
        let help = format!(
            "where the whole name is CUDA's, write it with {} by hand",
            stem.musa
        );
        unit.report(out, UNREACHABLE, token.range(), message, help);
    }
}

fn stem<'a>(tables: &'a Tables, text: &[u8]) -> Option<&'a Stem> {
    tables.stem(text).filter(|stem| stem.cuda.len() > 2)
}

/// Whether names of CUDA's start with a word.
pub(super) fn is_stem(tables: &Tables, text: &[u8]) -> bool {
    stem(tables, text).is_some()
}

/// Whether a placeholder stands right before or behind the token, so that the two make one name.
pub(super) fn glued_to_placeholder(unit: &CppUnit<'_>, index: usize, token: Token) -> bool {
    let is_placeholder = |other: Option<Token>| {
        other
            .filter(|other| other.kind == TokenKind::Placeholder)
            .map(Token::range)
    };
    let before = is_placeholder(index.checked_sub(1).and_then(|at| unit.token(at)));
    let after = is_placeholder(unit.token(index + 1));
    before.is_some_and(|range| range.end == token.range().start)
        || after.is_some_and(|range| range.start == token.range().end)
}
