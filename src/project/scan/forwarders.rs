//! Macros and functions that hand a parameter to a call which takes a CUDA name:
//! `#define REGISTER(NS, KEY) TORCH_LIBRARY_IMPL(NS, KEY, m)`,
//! `void* load(const char* name) { return dlsym(handle, name); }`.

use crate::facts::Forwarder;
use torchada_mapping::knowledge::NameConsumer;
use torchada_syntax::{ScopeKind, TokenKind, Tokens, arguments, call_parenthesis};

use super::Parsed;
use super::macros::{Callable, macros};

/// The macros and functions of a file that do so, directly or through an earlier one of the same file.
pub(super) fn forwarders(
    source: &[u8],
    parsed: &Parsed,
    consumers: &[NameConsumer],
) -> Vec<Forwarder> {
    let tokens = &parsed.tokens;
    let callees = |word: &[u8]| consumers.iter().any(|one| one.callee.as_bytes() == word);
    if tokens.identifiers_where(source, callees).next().is_none() {
        return Vec::new();
    }
    forwarders_through(source, parsed, consumers, Vec::new())
}

/// The macros and functions of a file that do so, directly, through one of `known`, or through an earlier one of the same
/// file, behind those of `known`.
pub fn forwarders_through(
    source: &[u8],
    parsed: &Parsed,
    consumers: &[NameConsumer],
    known: Vec<Forwarder>,
) -> Vec<Forwarder> {
    let tokens = &parsed.tokens;
    let mut found = known;
    let with_parameters = macros(source, tokens).filter(|one| !one.parameters.is_empty());
    for one in with_parameters.chain(functions(source, parsed)) {
        let own = forwarded_arguments(source, tokens, &one, consumers, &found);
        found.extend(own);
    }
    found
}

fn forwarded_arguments(
    source: &[u8],
    tokens: &Tokens,
    taker: &Callable<'_>,
    consumers: &[NameConsumer],
    earlier: &[Forwarder],
) -> Vec<Forwarder> {
    let text = |index: usize| tokens.word(index, source);
    let mut own: Vec<Forwarder> = Vec::new();
    for index in taker.body.clone() {
        let is_name = tokens
            .get(index)
            .is_some_and(|token| token.kind == TokenKind::Identifier);
        if !is_name || !matches!(text(index + 1), b"(" | b"<") {
            continue;
        }
        let callee = text(index);
        let known = (0..consumers.len())
            .filter_map(|at| Some((at, consumers.get(at)?)))
            .filter(|(_, one)| one.callee.as_bytes() == callee && one.needs.is_empty())
            .map(|(at, one)| (at, one.argument));
        let earlier = earlier.iter().filter(|one| one.name == callee);
        let ways: Vec<(usize, usize)> = known
            .chain(earlier.map(|one| (one.consumer, one.parameter)))
            .collect();
        if ways.is_empty() {
            continue;
        }
        let open = call_parenthesis(source, tokens, index);
        let Some(call_arguments) = open.and_then(|open| arguments(source, tokens, open)) else {
            continue;
        };
        for (consumer, place) in ways {
            let Some(argument) = call_arguments.get(place).filter(|one| one.len() == 1) else {
                continue;
            };
            let argument_name = text(argument.start);
            let parameter = taker.place_of(argument_name);
            // A function may say the name as well; a macro may make another name of it.
            let uses = taker
                .body
                .clone()
                .filter(|&at| text(at) == argument_name)
                .count();
            own.extend(parameter.map(|parameter| Forwarder {
                name: taker.name.to_vec(),
                parameter,
                consumer,
                only: !taker.is_macro || uses == 1,
            }));
        }
    }
    own
}

/// Functions with a body, and lambdas that a variable is made of.
fn functions<'s>(source: &'s [u8], parsed: &Parsed) -> impl Iterator<Item = Callable<'s>> {
    let (tokens, outline) = (&parsed.tokens, &parsed.outline);
    let bodies = outline
        .scopes
        .iter()
        .filter(|scope| scope.kind == ScopeKind::Function);
    bodies.filter_map(move |scope| {
        let text = |index: usize| tokens.word(index, source);
        let open = parsed.parameters(source, scope.tokens.start)?;
        let before = open.checked_sub(1)?;
        // `auto load = [&](auto name) {`
        let name = match text(before) {
            b"]" => {
                let capture = outline.partner(before)?;
                let equals = capture.checked_sub(1).filter(|&at| text(at) == b"=")?;
                equals.checked_sub(1)?
            }
            _ => before,
        };
        let is_name = |at: usize| {
            let token = tokens.get(at);
            token.is_some_and(|token| token.kind == TokenKind::Identifier)
        };
        let parameters = arguments(source, tokens, open)?;
        let parameters = parameters.into_iter().map(|parameter| {
            let end = parameter.clone().find(|&at| text(at) == b"=");
            let last = end.unwrap_or(parameter.end).checked_sub(1);
            let last = last.filter(|&at| parameter.contains(&at) && is_name(at));
            last.map_or(&b""[..], text)
        });
        let parameters: Vec<&[u8]> = parameters.collect();
        (is_name(name) && parameters.iter().any(|one| !one.is_empty())).then(|| Callable {
            name: text(name),
            parameters,
            body: scope.tokens.clone(),
            is_macro: false,
        })
    })
}
