//! Arguments that are names: `dlsym(h, "cudaMalloc")`, `getenv("CUDA_VISIBLE_DEVICES")`,
//! `system("nvidia-smi")`, `TORCH_LIBRARY_IMPL(ns, CUDA, m)`.

mod command;
mod compared_devices;
pub(super) mod dispatch;
mod places;
pub(super) mod stored;

use std::ops::Range;

use super::CppUnit;
use super::rule_names::{ARGUMENT, DEVICE};
use super::verdict::{Reference, keep_if};
use crate::{Change, Outcome};
use command::literals;
use dispatch::key_row;
use torchada_diagnostic::codes::cpp::UNREACHABLE;
use torchada_mapping::knowledge::{ArgumentKind, NameConsumer};
use torchada_mapping::{Relation, Row, Section, has};
use torchada_project::Forwarder;
use torchada_syntax::{Directive, DirectiveKind, Token, TokenKind, arguments, call_parenthesis};
use torchada_text::TextRange;

/// The ending of what Windows' linker gets for a shared library.
const IMPORT_LIBRARY: &[u8] = b".lib";

/// Renames names that a callee takes in a string or a bare token.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let is_one = |word: &[u8]| {
        let mut known = unit.context.knowledge.consumers.iter();
        known.any(|one| one.callee.as_bytes() == word) || unit.project.forwarders.contains_key(word)
    };
    for (index, token) in unit.identifiers_where(is_one) {
        let callee = token.text(unit.text);
        let Some(open) = call_parenthesis(unit.text, &unit.parsed.tokens, index) else {
            continue;
        };
        let consumers = unit
            .context
            .knowledge
            .consumers
            .iter()
            .filter(|consumer| consumer.callee.as_bytes() == callee);
        for consumer in consumers {
            if accepts(unit, index, consumer) {
                consume(unit, out, open, consumer.argument, consumer.kind);
            }
        }
        for one in unit.project.forwarders.get(callee).into_iter().flatten() {
            forwarded(unit, out, (index, open), one);
        }
    }
    command::paths(unit, out);
    device_objects(unit, out);
    compared_devices::check(unit, out);
    stored::names(unit, out);
}

/// `torch::Device d("cuda:0");` and `torch::Device d{"cuda"};`
fn device_objects(unit: &CppUnit<'_>, out: &mut Outcome) {
    let consumers = || {
        let all = unit.context.knowledge.consumers.iter();
        all.filter(|one| one.kind == ArgumentKind::Device)
    };
    let is_one = |word: &[u8]| consumers().any(|one| one.callee.as_bytes() == word);
    for (index, token) in unit.identifiers_where(is_one) {
        let named = unit
            .token(index + 1)
            .is_some_and(|next| next.kind == TokenKind::Identifier);
        let open = if named { index + 2 } else { index + 1 };
        let braced = unit.word(open) == b"{" || (named && unit.word(open) == b"(");
        let callee = token.text(unit.text);
        let takes = braced
            && consumers().any(|one| one.callee.as_bytes() == callee && accepts(unit, index, one));
        if let Some(literal) = unit.token(open + 1).filter(|_| takes)
            && literal.kind == TokenKind::String
        {
            device(unit, out, literal);
        }
    }
}

fn accepts(unit: &CppUnit<'_>, index: usize, consumer: &NameConsumer) -> bool {
    if consumer.kind == ArgumentKind::LinkedLibrary {
        let directive = unit.parsed.tokens.directive_of(index);
        let is_first =
            |one: &Directive| one.kind == DirectiveKind::Pragma && one.tokens.start == index;
        return directive.is_some_and(is_first)
            || unit.word_before(index, 1) == b"(" && unit.word_before(index, 2) == b"__pragma";
    }
    if consumer.needs.is_empty() {
        return true;
    }
    let needed = |word: &[u8]| has(&consumer.needs, word);
    match unit.word_before(index, 1) {
        b"::" => needed(unit.word_before(index, 2)),
        // `TensorOptions().dtype(type).device("cuda")`: what the chain of calls starts with.
        b"." | b"->" => (2..40)
            .map(|back| unit.word_before(index, back))
            .take_while(|word| !matches!(*word, b";" | b"{" | b"}" | b"=" | b"return" | b""))
            .any(needed),
        _ => false,
    }
}

/// The argument at `place` of the call whose arguments open at `open`.
fn consume(unit: &CppUnit<'_>, out: &mut Outcome, open: usize, place: usize, kind: ArgumentKind) {
    let Some(arguments) = arguments(unit.text, &unit.parsed.tokens, open) else {
        return;
    };
    let Some(argument) = arguments.get(place).cloned() else {
        return;
    };
    match kind {
        ArgumentKind::DispatchKey => dispatch::key(unit, out, argument),
        ArgumentKind::Command => command::command(unit, out, argument),
        ArgumentKind::Symbol => each_literal(unit, out, argument, &|name| {
            unit.context.row(Section::Names, name.as_bytes())
        }),
        ArgumentKind::LibraryFile => {
            each_literal(unit, out, argument, &|name| {
                places::library_row(unit, name.as_bytes())
            });
        }
        ArgumentKind::LinkedLibrary => linked_libraries(unit, out, argument),
        ArgumentKind::Environment => each_literal(unit, out, argument, &|name| {
            unit.context.row(Section::Environment, name.as_bytes())
        }),
        ArgumentKind::Device => {
            for token in literals(unit, argument) {
                device(unit, out, token);
            }
        }
    }
}

fn each_literal<'a>(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    argument: Range<usize>,
    lookup: &dyn Fn(&str) -> Option<&'a Row>,
) {
    let wide = |token: Token| token.text(unit.text).starts_with(b"L\"");
    let tokens = argument.filter_map(|index| unit.token(index));
    for token in tokens.filter(|token| token.kind == TokenKind::String) {
        let is_plain = token.text(unit.text).starts_with(b"\"");
        let Some(mut range) = token.inside().filter(|_| is_plain || wide(token)) else {
            continue;
        };
        // `LoadLibraryW(L"nvcuda.dll")`
        range.start += usize::from(!is_plain);
        // `putenv("CUDA_VISIBLE_DEVICES=0")`
        let equals = memchr::memchr(b'=', range.of(unit.text));
        let end = equals.map_or(range.end, |at| range.start + at);
        let range = TextRange::new(range.start, end);
        let shown = String::from_utf8_lossy(range.of(unit.text)).into_owned();
        let Some(row) = lookup(&shown) else { continue };
        out.claim(token);
        if row.relation == Relation::Same || keep_if(unit, out, range, unit.foreign(range)) {
            continue;
        }
        let to = row.to.as_deref().unwrap_or_default().to_owned();
        Reference::whole(range, &shown, row, to, ARGUMENT).apply_row(unit, out);
    }
}

/// `#pragma comment(lib, "cudart.lib")`: the name in the path and before the ending is the library's.
fn linked_libraries(unit: &CppUnit<'_>, out: &mut Outcome, argument: Range<usize>) {
    for token in literals(unit, argument) {
        let Some(range) = token.inside() else {
            continue;
        };
        let path = range.of(unit.text);
        let start = path.iter().rposition(|byte| b"/\\".contains(byte));
        let start = range.start + start.map_or(0, |at| at + 1);
        let ending = path.len().saturating_sub(IMPORT_LIBRARY.len());
        let has_ending = path
            .get(ending..)
            .is_some_and(|ending| ending.eq_ignore_ascii_case(IMPORT_LIBRARY));
        let end = if has_ending {
            range.start + ending
        } else {
            range.end
        };
        let range = TextRange::new(start, end.max(start));
        let shown = unit.shown(range);
        let row = unit.context.row(Section::Libraries, shown.as_bytes());
        let Some(row) = row.filter(|row| row.relation != Relation::Same) else {
            continue;
        };
        out.claim(token);
        if !keep_if(unit, out, range, unit.foreign(range)) {
            let to = row.to.as_deref().unwrap_or_default().to_owned();
            Reference::whole(range, &shown, row, to, ARGUMENT).apply_row(unit, out);
        }
    }
}

/// `"cuda"` or `"cuda:0"`.
fn device(unit: &CppUnit<'_>, out: &mut Outcome, token: Token) {
    let whole = token.range();
    let body = TextRange::new(
        whole.start + 1,
        whole.end.saturating_sub(1).max(whole.start + 1),
    );
    let text = body.of(unit.text);
    for name in &unit.context.knowledge.devices {
        let rest = text.strip_prefix(name.cuda.as_bytes());
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b":")) {
            let range = TextRange::new(body.start, body.start + name.cuda.len());
            if !keep_if(unit, out, range, unit.foreign(range)) {
                let evidence = Some(torchada_mapping::Evidence::Confirmed);
                let change = Change::new(range, &name.to).evidence(evidence);
                unit.rename(out, change.rule(DEVICE));
            }
        }
    }
}

/// An argument that a macro or a function of the project's hands on. Its name stands at `index`, the parenthesis of its
/// arguments at `open`.
fn forwarded(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    (index, open): (usize, usize),
    one: &Forwarder,
) {
    let defines = unit
        .parsed
        .tokens
        .directive_of(index)
        .is_some_and(|directive| {
            directive.kind == DirectiveKind::Define && directive.tokens.start == index
        });
    let Some(consumer) = unit.context.knowledge.consumers.get(one.consumer) else {
        return;
    };
    if defines {
        return;
    }
    if one.only {
        consume(unit, out, open, one.parameter, consumer.kind);
        return;
    }
    let arguments = arguments(unit.text, &unit.parsed.tokens, open);
    let Some(argument) = arguments.and_then(|all| all.get(one.parameter).cloned()) else {
        return;
    };
    let Some(token) = unit.token(argument.start).filter(|_| argument.len() == 1) else {
        return;
    };
    let range = token.range();
    let changes = key_row(unit, token).filter(|row| row.relation != Relation::Same);
    if consumer.kind == ArgumentKind::DispatchKey
        && let Some(to) = changes.and_then(|row| row.to.as_deref())
        && unit.foreign(range).is_none()
    {
        let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
        let name = String::from_utf8_lossy(&one.name).into_owned();
        let message = format!(
            "the dispatch key `{shown}` stays: the macro `{name}` makes more than a key of it"
        );
        let help = format!("let the macro take the key apart from the rest; on MUSA it is `{to}`");
        unit.report(out, UNREACHABLE, range, message, help);
    }
}
