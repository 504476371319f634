//! Classifies an identifier by the tokens around it.

use super::CppUnit;
use torchada_mapping::{Relation, Row, Section};
use torchada_syntax::{DirectiveKind, Token, TokenKind, opening_bracket};

/// The longest list of parameters, in tokens.
const LONGEST: usize = 500;

/// The row that answers an identifier, if the identifier can mean it in this file.
pub(super) fn counts<'a>(
    unit: &CppUnit<'a>,
    index: usize,
    token: Token,
    section: Section,
) -> Option<&'a Row> {
    let row = unit.context.row(section, token.text(unit.text))?;
    if row.relation == Relation::Same && row.differs.is_none() {
        return None;
    }
    // A name with CUDA's mark that one header brings is CUDA's even where the header comes
    // through a library outside the tree. One that a whole framework brings may be the
    // project's: `CUDAStream` is a favourite.
    let framework = row.needs.iter().all(|need| need.ends_with('/'));
    let sure = row.stem && !framework;
    if !row.needs.is_empty() && !sure && !unit.visible.has_header(&row.needs) {
        return None;
    }
    // The standard library's name, or a plain word: never known to be CUDA's.
    if row.std {
        return None;
    }
    (!is_pasted(unit, index, token)).then_some(row)
}

/// Whether an identifier is a piece of a name: `##` joins two words in the body of a macro, and nothing anywhere else.
pub(super) fn is_pasted(unit: &CppUnit<'_>, index: usize, token: Token) -> bool {
    let before = unit.word_before(index, 1) == b"##";
    let behind = unit.word(index + 1) == b"##";
    if !token.in_directive || !(before || behind) {
        return false;
    }
    let tokens = &unit.parsed.tokens;
    let Some(define) = tokens
        .directive_of(index)
        .filter(|one| one.kind == DirectiveKind::Define)
    else {
        return false;
    };
    let body = define.tokens.start + 1..define.tokens.end;
    let is_word = |at: usize| {
        let kind = tokens.get(at).map(|token| token.kind);
        body.contains(&at) && matches!(kind, Some(TokenKind::Identifier | TokenKind::Number))
    };
    before && index.checked_sub(2).is_some_and(is_word)
        || behind && body.contains(&index) && body.contains(&(index + 2))
}

pub(super) fn qualified(unit: &CppUnit<'_>, index: usize) -> bool {
    index
        .checked_sub(2)
        .and_then(|at| unit.token(at))
        .is_some_and(|token| {
            let text = token.text(unit.text);
            (token.kind == TokenKind::Identifier && !matches!(text, b"return" | b"else" | b"case"))
                || text == b">"
        })
}

/// Whether the qualifier is CUDA's or `PyTorch`'s: an enumeration of the tables, as in
/// `cudaDataType_t::CUDA_R_32F`, or the root of one of their namespaces, as in `at::`.
pub(super) fn behind_cudas(unit: &CppUnit<'_>, index: usize) -> bool {
    let mut root = index.saturating_sub(2);
    let direct = unit.word(root);
    while unit.word_before(root, 1) == b"::"
        && unit
            .parsed
            .tokens
            .before(root, 2)
            .is_some_and(|token| token.kind == TokenKind::Identifier)
    {
        root -= 2;
    }
    let tables = unit.context.tables;
    tables.get(Section::Names, direct).is_some() || tables.name_parts().is_root(unit.word(root))
}

/// Whether the identifier is a member's name, and not the type in `[&]() -> cudaError_t {`.
pub(super) fn is_member_access(unit: &CppUnit<'_>, index: usize) -> bool {
    match unit.word_before(index, 1) {
        b"." => true,
        b"->" => !is_return_type(unit, index),
        _ => false,
    }
}

fn is_return_type(unit: &CppUnit<'_>, index: usize) -> bool {
    let mut at = index.saturating_sub(2);
    while matches!(unit.word(at), b"const" | b"noexcept" | b"mutable") {
        at = at.saturating_sub(1);
    }
    let from = at.saturating_sub(LONGEST);
    let open = (unit.word(at) == b")")
        .then(|| opening_bracket(|one| unit.word(one), from, at))
        .flatten();
    let Some(open) = open else {
        // `[] -> cudaError_t {`
        return unit.word(at) == b"]";
    };
    if unit.word_before(open, 1) == b"]" {
        return true;
    }
    (1..12)
        .map(|back| unit.word_before(open, back))
        .take_while(|word| !matches!(*word, b";" | b"{" | b"}" | b"=" | b"("))
        .any(|word| word == b"auto")
}
