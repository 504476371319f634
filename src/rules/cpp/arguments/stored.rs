//! Names in strings that are stored: a table of what a library has, the name of a library in a macro.

use std::cell::LazyCell;

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::knowledge::{ArgumentKind, NameConsumer};
use torchada_mapping::{Nature, Relation, Row, Section};
use torchada_syntax::{DirectiveKind, TokenKind};
use torchada_text::TextRange;

/// A string is the name of a CUDA library or of what one has, and where it goes is not seen.
pub(in crate::cpp) const STORED_NAME: Code = Code {
    id: "CPP007",
    severity: Severity::Warning,
    title: "string names a CUDA library or what one has, and where it goes is not seen",
};

/// Strings that go to no call which is known to take a name, and are one as a whole: a library's file, or, where the
/// file looks names up, what a library has.
pub(super) fn names(unit: &CppUnit<'_>, out: &mut Outcome) {
    let looks_up = LazyCell::new(|| looks_up(unit));
    let mut last = None;
    for (index, &token) in unit.parsed.tokens.tokens.iter().enumerate() {
        let whole = token.range();
        if token.kind != TokenKind::String || out.is_claimed(token) || whole.len() < 3 {
            continue;
        }
        let range = TextRange::new(whole.start + 1, whole.end - 1);
        let name = range.of(unit.text);
        let tables = unit.context.tables;
        let library = library_row(unit, name);
        let symbol = || {
            let row = tables.get(Section::Names, name)?;
            let is_renamed = row.nature == Nature::Declared && row.relation == Relation::Renamed;
            is_renamed.then_some(row)
        };
        let Some(row) = library.or_else(|| symbol().filter(|_| *looks_up)) else {
            continue;
        };
        if !is_stored(unit, index, &mut last)
            || row.relation == Relation::Same
            || keep_if(unit, out, range, unit.foreign(range))
        {
            continue;
        }
        let shown = String::from_utf8_lossy(name).into_owned();
        let to = row.to.as_deref().unwrap_or("a library of MUSA's");
        let (what, used) = match library {
            Some(_) => ("a CUDA library", "opened"),
            None => ("what a CUDA library has", "looked up"),
        };
        let message =
            format!("the string \"{shown}\" names {what} and stays: where it goes is not seen");
        let help = format!("where it is {used}, it has to be \"{to}\"");
        out.findings
            .push(unit.finding(STORED_NAME, range, message).help(help));
    }
}

/// The row for a library's file, with or without the version behind `.so`.
pub(super) fn library_row<'a>(unit: &CppUnit<'a>, name: &[u8]) -> Option<&'a Row> {
    let row = |name: &[u8]| unit.context.tables.get(Section::LibraryFiles, name);
    row(name).or_else(|| {
        let text = std::str::from_utf8(name).ok()?;
        let end = text.find(".so.")? + ".so".len();
        row(text.get(..end)?.as_bytes())
    })
}

/// Whether a file looks up names in libraries.
fn looks_up(unit: &CppUnit<'_>) -> bool {
    let is_symbols = |one: &NameConsumer| one.kind == ArgumentKind::Symbol;
    let known = &unit.context.knowledge.consumers;
    let is_one = |word: &[u8]| {
        known
            .iter()
            .any(|one| is_symbols(one) && one.callee.as_bytes() == word)
            || unit.project.forwarders.get(word).is_some_and(|all| {
                let mut all = all.iter();
                all.any(|one| known.get(one.consumer).is_some_and(is_symbols))
            })
    };
    unit.identifiers_where(is_one).next().is_some()
}

/// Whether a string is stored for later: an argument of a call is that call's business.
fn is_stored(unit: &CppUnit<'_>, index: usize, last: &mut Option<(usize, bool)>) -> bool {
    let tokens = &unit.parsed.tokens;
    // `#define LIBRARY "libcuda.so"`
    let is_macro = tokens.directive_of(index).is_some_and(|directive| {
        directive.kind == DirectiveKind::Define && directive.tokens.start + 1 == index
    });
    is_macro
        || matches!(
            unit.word_before(index, 1),
            b"=" | b"{" | b"return" | b"?" | b":"
        )
        || unit.word_before(index, 1) == b"," && in_braces(unit, index, last)
}

/// Whether the nearest open bracket before a token is a brace. `last` is the token that this was asked of last, and the
/// answer: what leads back to that token has the same one, so that a long table is gone through once.
fn in_braces(unit: &CppUnit<'_>, index: usize, last: &mut Option<(usize, bool)>) -> bool {
    let mut at = index;
    let answer = loop {
        let Some(before) = at.checked_sub(1) else {
            break false;
        };
        at = before;
        match (unit.word(at), *last) {
            (_, Some((known, answer))) if known == at => break answer,
            (b"{", _) => break true,
            (b"(" | b"[" | b";", _) => break false,
            (b")" | b"]" | b"}", _) => at = unit.parsed.outline.partner(at).unwrap_or(at),
            _ => {}
        }
    };
    *last = Some((index, answer));
    answer
}
