//! Names in strings that are stored: a table of what a library has, the name of a library in a macro.

use std::cell::LazyCell;

use rustc_hash::FxHashSet;

use super::places;
use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::rule_names::ARGUMENT;
use crate::cpp::verdict::{Reference, keep_if};
use torchada_diagnostic::codes::cpp::STORED_NAME;
use torchada_mapping::knowledge::{ArgumentKind, NameConsumer};
use torchada_mapping::{Nature, Relation, Section};
use torchada_syntax::{Directive, DirectiveKind, TokenKind, arguments, call_parenthesis};

/// Strings that are a name as a whole and stand in no call which is known to take one: a library's file, or, where the
/// file looks names up, what a library has. Those of a variable that such a call gets are renamed.
pub(super) fn names(unit: &CppUnit<'_>, out: &mut Outcome) {
    let looks_up = LazyCell::new(|| looks_up(unit));
    let kinds = [ArgumentKind::LibraryFile, ArgumentKind::Symbol];
    let handed_on = LazyCell::new(|| kinds.map(|kind| handed_on(unit, kind)));
    let mut last = None;
    for (index, token, range) in unit.strings() {
        if out.is_claimed(token) {
            continue;
        }
        if places::place(unit, out, range) {
            continue;
        }
        let name = range.of(unit.text);
        let tables = unit.context.tables;
        let library = places::library_row(unit, name);
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
        let [libraries, symbols] = &*handed_on;
        let takers = if library.is_some() {
            libraries
        } else {
            symbols
        };
        if holder(unit, index, last).is_some_and(|name| takers.contains(name)) {
            out.claim(token);
            let to = row.to.as_deref().unwrap_or_default().to_owned();
            Reference::whole(range, &shown, row, to, ARGUMENT).apply_row(unit, out);
            continue;
        }
        let to = row.to.as_deref().unwrap_or("a library of MUSA's");
        let (what, used) = match library {
            Some(_) => ("a CUDA library", "opened"),
            None => ("what a CUDA library has", "looked up"),
        };
        let message =
            format!("the string \"{shown}\" names {what} and stays: where it goes is not seen");
        let help = format!("where it is {used}, it has to be \"{to}\"");
        unit.report(out, STORED_NAME, range, message, help);
    }
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

/// The variables that the file hands to what takes such names: `dlsym(library, name)`, `dlopen(names[i], flags)`.
fn handed_on<'u>(unit: &'u CppUnit<'_>, kind: ArgumentKind) -> FxHashSet<&'u [u8]> {
    let known = &unit.context.knowledge.consumers;
    let places = |callee: &[u8]| {
        let direct = known.iter().filter(|one| one.callee.as_bytes() == callee);
        let direct = direct
            .filter(|one| one.kind == kind)
            .map(|one| one.argument);
        let all = unit.project.forwarders.get(callee).into_iter().flatten();
        let is_one = |at: usize| known.get(at).is_some_and(|one| one.kind == kind);
        let handed = all.filter(|one| one.only && is_one(one.consumer));
        direct
            .chain(handed.map(|one| one.parameter))
            .collect::<Vec<usize>>()
    };
    let mut found = FxHashSet::default();
    for (index, token) in unit.identifiers_where(|word| !places(word).is_empty()) {
        let open = call_parenthesis(unit.text, &unit.parsed.tokens, index);
        let all = open.and_then(|open| arguments(unit.text, &unit.parsed.tokens, open));
        for place in places(token.text(unit.text)) {
            let argument = all.as_ref().and_then(|all| all.get(place));
            let Some(argument) = argument else { continue };
            let first = unit.token(argument.start);
            let is_variable = argument.len() == 1 || unit.word(argument.start + 1) == b"[";
            let first = first.filter(|one| is_variable && one.kind == TokenKind::Identifier);
            found.extend(first.map(|one| one.text(unit.text)));
        }
    }
    found
}

/// The variable that a stored string is a value of, or an element of one: `name = "cuInit"`, `names[] = {"cuInit"}`; the
/// macro that stands for the string alone. `last` has the brace that the string stands in.
fn holder<'u>(unit: &'u CppUnit<'_>, index: usize, last: Option<BraceAround>) -> Option<&'u [u8]> {
    if let Some(directive) = macro_of(unit, index) {
        let name = unit.token(directive.tokens.start)?;
        return (directive.tokens.len() == 2).then(|| name.text(unit.text));
    }
    let brace = match last {
        Some(known) if known.index == index => known.brace,
        _ if unit.word_before(index, 1) == b"{" => Some(index - 1),
        _ => None,
    };
    let equals = brace.unwrap_or(index).checked_sub(1)?;
    if unit.word(equals) != b"=" {
        return None;
    }
    let mut name = equals.checked_sub(1)?;
    while unit.word(name) == b"]" {
        name = unit.parsed.outline.partner(name)?.checked_sub(1)?;
    }
    let token = unit.token(name)?;
    (token.kind == TokenKind::Identifier).then(|| token.text(unit.text))
}

/// The definition of the macro whose text begins with a string: `#define LIBRARY "libcuda.so"`.
fn macro_of<'u>(unit: &'u CppUnit<'_>, index: usize) -> Option<&'u Directive> {
    let directive = unit.parsed.tokens.directive_of(index);
    directive.filter(|one| one.kind == DirectiveKind::Define && one.tokens.start + 1 == index)
}

/// Whether a string is stored for later: an argument of a call is that call's business.
fn is_stored(unit: &CppUnit<'_>, index: usize, last: &mut Option<BraceAround>) -> bool {
    macro_of(unit, index).is_some()
        || matches!(
            unit.word_before(index, 1),
            b"=" | b"{" | b"return" | b"?" | b":"
        )
        || unit.word_before(index, 1) == b"," && brace(unit, index, last).is_some()
}

/// The brace that a token stands in.
#[derive(Clone, Copy)]
struct BraceAround {
    /// The index of the token.
    index: usize,
    /// The index of the brace, where the nearest open bracket before the token is one.
    brace: Option<usize>,
}

/// The nearest open bracket before a token, where it is a brace. `last` has the token that this was asked of last: what
/// leads back to that token stands in the same brace, so that a long table is gone through once.
fn brace(unit: &CppUnit<'_>, index: usize, last: &mut Option<BraceAround>) -> Option<usize> {
    let mut at = index;
    let brace = loop {
        let Some(before) = at.checked_sub(1) else {
            break None;
        };
        at = before;
        match (unit.word(at), *last) {
            (_, Some(known)) if known.index == at => break known.brace,
            (b"{", _) => break Some(at),
            (b"(" | b"[" | b";", _) => break None,
            (b")" | b"]" | b"}", _) => at = unit.parsed.outline.partner(at).unwrap_or(at),
            _ => {}
        }
    };
    *last = Some(BraceAround { index, brace });
    brace
}
