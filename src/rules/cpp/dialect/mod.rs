//! Constructs that nvcc takes and mcc, a clang, does not: each becomes one that both take.

mod templates;

use super::CppUnit;
use crate::{Change, Outcome};
use torchada_classify::FileKind;
use torchada_diagnostic::codes::cpp::NO_CONSTANT;
use torchada_mapping::has;
use torchada_syntax::{DirectiveKind, Scope, ScopeKind, TokenKind};

/// Writes what mcc takes.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    arrays(unit, out);
    constants(unit, out);
    loops(unit, out);
    if may_be_for_device(unit) {
        templates::members(unit, out);
    }
}

/// Whether mcc may compile the file: it is CUDA's, another file includes it, or it has code for the device. Compilers of the
/// host ask as much of C++ as mcc does.
fn may_be_for_device(unit: &CppUnit<'_>) -> bool {
    let marks = &unit.context.knowledge.shapes.device_marks;
    let mut marks = marks.iter().map(String::as_bytes);
    unit.file.class.kind != FileKind::Cpp
        || unit.project.is_included(unit.index)
        || marks.any(|mark| unit.parsed.tokens.has_word(unit.text, mark))
}

/// The scope around a token.
fn scope<'u>(unit: &'u CppUnit<'_>, index: usize) -> Option<&'u Scope> {
    let outline = &unit.parsed.outline;
    outline
        .scope_of(index)
        .and_then(|at| outline.scopes.get(at))
}

/// `const void* __restrict__ pointers[8];` in a class.
fn arrays(unit: &CppUnit<'_>, out: &mut Outcome) {
    let words = &unit.context.knowledge.dialect.arrays.words;
    let is_one = |word: &[u8]| has(words, word);
    for (index, token) in unit.identifiers_where(is_one) {
        let name = unit.token(index + 1);
        let is_array = unit.word_before(index, 1) == b"*"
            && name.is_some_and(|name| name.kind == TokenKind::Identifier)
            && unit.word(index + 2) == b"[";
        let is_member = scope(unit, index).is_some_and(|scope| scope.kind == ScopeKind::Class);
        if is_array && is_member && unit.is_compiled(token.range()) {
            unit.apply(out, Change::new(token.range(), ""));
        }
    }
}

/// `static constexpr __nv_bfloat16 limit = …;`
fn constants(unit: &CppUnit<'_>, out: &mut Outcome) {
    let types = &unit.context.knowledge.dialect.constants.types;
    for (index, token) in unit.identifiers_where(|word| word == b"constexpr") {
        let is_static = unit.word_before(index, 1) == b"static";
        let is_type = |at: usize| has(types, unit.word(at));
        let name = unit.token(index + 2);
        let is_variable = is_type(index + 1)
            && name.is_some_and(|name| name.kind == TokenKind::Identifier)
            && matches!(unit.word(index + 3), b"=" | b"{" | b"[");
        if !is_variable || token.in_directive || !unit.is_compiled(token.range()) {
            continue;
        }
        let kind = scope(unit, index).map(|scope| scope.kind);
        if matches!(kind, Some(ScopeKind::Function | ScopeKind::Block)) {
            let group = out.group();
            let keyword = index.checked_sub(1).and_then(|at| unit.token(at));
            // White space stays as it is.
            if let Some(keyword) = keyword.filter(|_| is_static) {
                unit.apply(out, Change::new(keyword.range(), "const").group(group));
                unit.apply(out, Change::new(token.range(), "").group(group));
            } else {
                unit.apply(out, Change::new(token.range(), "const").group(group));
            }
            continue;
        }
        let shown = unit
            .token(index + 1)
            .map_or_else(String::new, |one| unit.shown(one.range()));
        let message = format!("mcc computes no constants of the type `{shown}`");
        let help = "make it a function that returns the value, or keep the bits as an integer";
        unit.report(out, NO_CONSTANT, token.range(), message, help);
    }
}

/// `#pragma unroll` before what is no loop.
fn loops(unit: &CppUnit<'_>, out: &mut Outcome) {
    let words = &unit.context.knowledge.dialect.loops;
    let pragmas = unit.parsed.tokens.directives.iter();
    for pragma in pragmas.filter(|one| one.kind == DirectiveKind::Pragma) {
        let next = pragma.tokens.end;
        let is_other = has(&words.others, unit.word(next)) || is_value(unit, next);
        let name = unit.word(pragma.tokens.start);
        let is_one = has(&words.pragmas, name);
        let is_whole = !pragma.range.of(unit.text).contains(&b'\n');
        let in_directive = unit.token(next).is_none_or(|token| token.in_directive);
        if is_one && is_other && is_whole && !in_directive && unit.is_compiled(pragma.range) {
            let written = format!("// {}", unit.shown(pragma.range));
            unit.apply(out, Change::new(pragma.range, &written));
        }
    }
}

/// Whether a statement that begins at `at` computes something: `sum[i] += x`. A name before a parenthesis may be a macro
/// that makes a loop.
fn is_value(unit: &CppUnit<'_>, at: usize) -> bool {
    let behind = [&b"."[..], b"->", b"[", b"=", b"+", b"-"];
    let name = unit.token(at);
    name.is_some_and(|name| name.kind == TokenKind::Identifier)
        && behind.contains(&unit.word(at + 1))
}
