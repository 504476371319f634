//! Whole identifiers that the tables know.

use super::identifiers::{behind_cudas, counts, is_member_access, qualified};
use super::members::member;
use super::placeholders::{glued_to_placeholder, is_stem, template_stem};
use super::rule_names::NAME;
use super::shield::{Shield, shield};
use super::verdict::{Reference, keep_if};
use super::{CppUnit, families, inline_ptx, pasting};
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::cpp::{DISPUTED, PASTED, UNREACHABLE};
use torchada_mapping::ptx::Intrinsic;
use torchada_mapping::{Relation, Row, Section, USER};
use torchada_syntax::Token;
use torchada_text::TextRange;

/// Renames identifiers by table, wherever they mean CUDA's.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let tables = unit.context.tables;
    let is_one = |word: &[u8]| {
        tables.changes(Section::Names, word)
            || tables.differs(Section::Names, word)
            || tables.changes(Section::Members, word)
            || word.contains(&b'\\')
            || is_stem(tables, word)
            || unit.context.knowledge.families.of(word).is_some()
    };
    for (index, token) in unit.identifiers_where(is_one) {
        if out.is_claimed(token) {
            continue;
        }
        if is_member_access(unit, index) {
            member(unit, out, index, token);
            continue;
        }
        let Some(row) = counts(unit, index, token, Section::Names) else {
            split_by_splice(unit, out, token);
            template_stem(unit, out, index, token);
            families::report_unlisted(unit, out, index, token);
            continue;
        };
        // `LOAD(cuInit)` where the macro says `api.name`.
        if row.stem && pasting::is_own_member(unit, token.range()) {
            member(unit, out, index, token);
            continue;
        }
        identifier(unit, out, index, token, row);
    }
}

fn identifier(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, token: Token, row: &Row) {
    let range = token.range();
    if keep_if(unit, out, range, unit.foreign(range)) {
        return;
    }
    if glued_to_placeholder(unit, index, token) {
        let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
        let to = row.to.as_deref().unwrap_or("a MUSA name");
        let message = format!("`{shown}` is part of a name that a template builds");
        let help = format!("where the whole name is CUDA's, write it with {to} by hand");
        unit.report(out, UNREACHABLE, range, message, help);
        return;
    }
    let global = unit.word_before(index, 1) == b"::";
    let stays = kept_reason(unit, index, token, row)
        .map(Shield::Kept)
        .or_else(|| shield(unit, index, row, global))
        .or_else(|| answered_beside(unit, index, row).map(Shield::Kept));
    match stays {
        Some(Shield::Kept(reason)) => return unit.keep(out, range, reason),
        Some(Shield::Disputed(by)) => return report_disputed(unit, out, range, by),
        None => {}
    }
    let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
    if row.relation == Relation::Renamed
        && let Some((macro_name, built)) = pasting::makes_own_name(unit, range)
    {
        let message = format!(
            "`{shown}` stays: `{macro_name}` pastes it into `{built}`, a name of the project's own"
        );
        let help = "translate the macro and the names that it makes by hand";
        unit.report(out, PASTED, range, message, help);
        return;
    }
    if let Some(intrinsic) = intrinsic(unit, index, row, global) {
        return inline_ptx::call_helper(unit, out, range, intrinsic);
    }
    let to = row.to.as_deref().unwrap_or_default().to_owned();
    Reference::whole(range, &shown, row, to, NAME).apply_row(unit, out);
}

/// The reason for which a name stays, whatever its file declares of its row.
fn kept_reason(unit: &CppUnit<'_>, index: usize, token: Token, row: &Row) -> Option<KeptReason> {
    let name = token.text(unit.text);
    // The compiler's own names stand in no namespace.
    let compilers = name.starts_with(b"__");
    // `mine::cudaMalloc`: the qualifier is not CUDA's, or the rule for qualified names had spoken.
    let of_project = unit.word_before(index, 1) == b"::"
        && qualified(unit, index)
        && (compilers || !behind_cudas(unit, index));
    // `__any::get()`: no name of CUDA's is both a function and a namespace.
    let qualifies = unit.word(index + 1) == b"::" && unit.project.opens_namespace(name);
    // A user who names a word means it, declared or not.
    let plain_word = row.library != USER && !row.stem && !compilers;
    if of_project || qualifies || plain_word && unit.declared.contains(name) {
        return Some(KeptReason::ProjectDeclared);
    }
    if unit.context.tables.is_forbidden(name) {
        return Some(KeptReason::Forbidden);
    }
    let is_left = unit.project.left.tables.contains(row.library.as_ref());
    is_left.then_some(KeptReason::Vendored)
}

/// The function of the header that a call of a function without a counterpart becomes.
fn intrinsic<'u>(
    unit: &CppUnit<'u>,
    index: usize,
    row: &Row,
    global: bool,
) -> Option<&'u Intrinsic> {
    let translator = unit.context.ptx.filter(|_| unit.fragment.is_none())?;
    let found = translator.intrinsic(row.cuda.as_bytes())?;
    // The header stands in for what the SDK lacks, too.
    let is_lacking = row.relation == Relation::Unknown || row.why_missing().is_some();
    let is_call = is_lacking && unit.word(index + 1) == b"(";
    if !is_call || unit.alias_header.is_some() || unit.is_left_out(unit.token(index)?.range().start)
    {
        return None;
    }
    // A project's own function of the name is called here, or an overload is.
    let renamed = Row {
        relation: Relation::Renamed,
        ..row.clone()
    };
    shield(unit, index, &renamed, global)
        .is_none()
        .then_some(found)
}

/// The name is the project's where `by` includes this file, and CUDA's elsewhere.
fn report_disputed(unit: &CppUnit<'_>, out: &mut Outcome, range: TextRange, by: &str) {
    let shown = String::from_utf8_lossy(range.of(unit.text)).into_owned();
    let message = format!(
        "`{shown}` stays: it is a macro of the project's own where `{by}` includes this file, and CUDA's where another file does"
    );
    let help = "give the code that is included under the macro a file of its own, or write the project's name for it there";
    unit.report(out, DISPUTED, range, message, help);
}

/// A name that a backslash at a line's end cuts in two can't be replaced as one token.
fn split_by_splice(unit: &CppUnit<'_>, out: &mut Outcome, token: Token) {
    let text = token.text(unit.text);
    if !text.contains(&b'\\') || unit.foreign(token.range()).is_some() {
        return;
    }
    let whole: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'\\' | b'\r' | b'\n'))
        .collect();
    let row = unit.context.row(Section::Names, &whole);
    if let Some(row) = row.filter(|row| row.relation != Relation::Same) {
        let message = format!("`{}` is split by a line's end and stays", row.cuda);
        let help = "write the name in one piece and port again";
        unit.report(out, UNREACHABLE, token.range(), message, help);
    }
}

/// How many tokens of a condition are read for each name in it.
const SHORT: usize = 64;

/// A condition that tests the counterpart, too, knows MUSA already: `defined(__CUDACC__) || defined(__MUSACC__)`. One
/// that asks which compiler of CUDA's it is has its answer without the name: `defined(__CUDACC__) && !defined(__NVCC__)`.
fn answered_beside(unit: &CppUnit<'_>, index: usize, row: &Row) -> Option<KeptReason> {
    let directive = unit.parsed.tokens.directive_of(index)?;
    let to = row.to.as_deref();
    let to = to.filter(|_| directive.kind.has_condition())?.as_bytes();
    // The words of a long condition are looked up, not read again for each of its names.
    let tests = |name: &[u8]| {
        if directive.tokens.len() <= SHORT {
            return directive.tokens.clone().any(|at| unit.word(at) == name);
        }
        let mut places = unit.parsed.tokens.places(unit.text, name);
        places.any(|at| directive.tokens.contains(&at))
    };
    if tests(to) {
        return Some(KeptReason::MusaBranch);
    }
    // `defined(__CUDA__) || defined(__NVCC__)` asks for any of them.
    if is_alternative(unit, index) {
        return None;
    }
    let guards = &unit.context.knowledge.shapes.guards;
    let mut others = guards.other_compilers(row.cuda.as_bytes()).iter();
    let is_answered = others.any(|other| tests(other.as_bytes()));
    is_answered.then_some(KeptReason::BesideMusas)
}

/// Whether `||` joins the test of a macro, as it is, with another one.
fn is_alternative(unit: &CppUnit<'_>, index: usize) -> bool {
    let mut before = (1..=3).map(|back| unit.word_before(index, back));
    let before = before.find(|word| !matches!(*word, b"(" | b"defined"));
    let mut behind = (1..=2).map(|on| unit.word(index + on));
    let behind = behind.find(|word| *word != b")");
    before != Some(b"!") && (before == Some(b"||") || behind == Some(b"||"))
}
