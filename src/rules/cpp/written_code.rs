//! Strings that hold pieces of code: a program that writes code for CUDA writes it still where it is ported.

use super::CppUnit;
use crate::Outcome;
use torchada_diagnostic::codes::cpp::STORED_NAME;
use torchada_mapping::{Nature, Relation, Section};
use torchada_syntax::{Token, TokenKind, is_identifier_part};
use torchada_text::TextRange;

/// How many pieces a file holds that writes code, a whole statement among them: a message may look like a piece. A literal
/// of several lines is code with that many statements.
const LEAST: usize = 3;

/// Report the pieces of a file once.
pub(super) fn pieces(unit: &CppUnit<'_>, out: &mut Outcome) {
    let literals = unit.parsed.tokens.literals();
    let literals = literals
        .map(|(_, token)| token)
        .filter(|token| !out.is_claimed(*token) && unit.foreign(token.range()).is_none());
    let mut found = Vec::new();
    let mut has_source = false;
    for token in literals {
        let calls = lines(unit, token).filter_map(|line| called(unit, line));
        let calls =
            calls.filter(|range| !unit.is_left_out(range.start) && !out.edits.touches(*range));
        let before = found.len();
        found.extend(calls);
        if found.len() > before && token.kind == TokenKind::RawString {
            let is_statement =
                |line: &TextRange| line.of(unit.text).trim_ascii_end().ends_with(b";");
            has_source |= lines(unit, token).filter(is_statement).count() >= LEAST;
        }
    }
    let ends_statement = |range: &TextRange| {
        let rest = unit.text.get(range.end..).unwrap_or_default();
        let literal = memchr::memchr2(b'"', b'\n', rest).and_then(|end| rest.get(..end));
        literal.is_some_and(|literal| literal.trim_ascii_end().ends_with(b");"))
    };
    let writes = has_source || found.len() >= LEAST && found.iter().any(ends_statement);
    let Some(&first) = found.first().filter(|_| writes) else {
        return;
    };
    let name = String::from_utf8_lossy(first.of(unit.text)).into_owned();
    let more = match found.len() - 1 {
        0 => String::new(),
        more => format!(", and more of CUDA's at {more} other places in strings of this file,"),
    };
    let message =
        format!("code in strings calls `{name}`{more} and stays: where it goes is not seen");
    let help = "where it is compiled for MUSA, write MUSA's names: `torchada map` has them";
    unit.report(out, STORED_NAME, first, message, help);
}

/// The lines of a raw literal, or another literal as a whole.
fn lines<'u>(unit: &CppUnit<'u>, token: Token) -> impl Iterator<Item = TextRange> + use<'u> {
    let range = token.range();
    let is_raw = token.kind == TokenKind::RawString;
    let mut start = range.start;
    let lines = range
        .of(unit.text)
        .split(move |&byte| is_raw && byte == b'\n');
    lines.map(move |line| {
        let whole = TextRange::new(start, start + line.len());
        start = whole.end + 1;
        whole
    })
}

/// What of CUDA's a piece of code in a literal calls: `"CHECK(cudaMalloc(&p, n));"`.
fn called(unit: &CppUnit<'_>, literal: TextRange) -> Option<TextRange> {
    let text = literal.of(unit.text);
    let open = memchr::memchr(b'(', text)?;
    if !is_code(text) {
        return None;
    }
    let tables = unit.context.tables;
    let opens = std::iter::once(open).chain(memchr::memchr_iter(b'(', text).skip(1));
    let mut names = opens.filter_map(|open| {
        let front = text.get(..open)?;
        let len = front
            .iter()
            .rev()
            .take_while(|byte| is_identifier_part(**byte));
        let start = open - len.count();
        let row = tables.get(Section::Names, text.get(start..open)?)?;
        let is_cudas = row.nature == Nature::Declared && row.relation == Relation::Renamed;
        is_cudas.then(|| TextRange::new(literal.start + start, literal.start + open))
    });
    names.next()
}

/// Whether a literal ends as a piece of code does, and no sentence.
fn is_code(text: &[u8]) -> bool {
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    let text = text.strip_suffix(b"\\n").unwrap_or(text).trim_ascii_end();
    let text = text.strip_suffix(b"\\\\").unwrap_or(text).trim_ascii_end();
    text.ends_with(b";") || text.ends_with(b"(") || text.ends_with(b",") || text.ends_with(b"{")
}
