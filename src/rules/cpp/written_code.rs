//! Strings that hold pieces of code: a program that writes code for CUDA writes it still where it is ported.

use super::CppUnit;
use crate::Outcome;
use torchada_diagnostic::codes::cpp::STORED_NAME;
use torchada_mapping::{Nature, Relation, Section};
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// How many pieces a file holds that writes code, a whole statement among them: a message may look like a piece.
const LEAST: usize = 3;

/// Report the pieces of a file once.
pub(super) fn pieces(unit: &CppUnit<'_>, out: &mut Outcome) {
    let literals = unit.parsed.tokens.literals();
    let found: Vec<TextRange> = literals
        .filter(|(_, token)| !out.is_claimed(*token) && unit.foreign(token.range()).is_none())
        .filter_map(|(_, token)| called(unit, token.range()))
        .filter(|range| !unit.is_left_out(range.start) && !out.edits.touches(*range))
        .collect();
    let ends_statement = |range: &TextRange| {
        let rest = unit.text.get(range.end..).unwrap_or_default();
        let literal = memchr::memchr(b'"', rest).and_then(|end| rest.get(..end));
        literal.is_some_and(|literal| literal.trim_ascii_end().ends_with(b");"))
    };
    let writes = found.len() >= LEAST && found.iter().any(ends_statement);
    let Some(&first) = found.first().filter(|_| writes) else {
        return;
    };
    let name = String::from_utf8_lossy(first.of(unit.text)).into_owned();
    let more = found.len() - 1;
    let message = format!(
        "code in strings calls `{name}`, and more of CUDA's in {more} other strings of this file, and stays: where it goes is not seen"
    );
    let help = "where it is compiled for MUSA, write MUSA's names: `torchada map` has them";
    unit.report(out, STORED_NAME, first, message, help);
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
