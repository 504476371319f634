//! Macros that hand a parameter to a call which takes a CUDA name:
//! `#define REGISTER(NS, KEY) TORCH_LIBRARY_IMPL(NS, KEY, m)`.

use crate::mapping::knowledge::Consumer;
use crate::project::facts::Forwarder;
use crate::syntax::{DirectiveKind, TokenKind, Tokens};

use super::macros::{arguments, parameters};

/// The macros of a file that do so, directly or through an earlier one of the same file.
pub(super) fn forwarders(source: &[u8], tokens: &Tokens, consumers: &[Consumer]) -> Vec<Forwarder> {
    let mut found: Vec<Forwarder> = Vec::new();
    for directive in &tokens.directives {
        let Some(name) = tokens
            .get(directive.tokens.start)
            .filter(|_| directive.kind == DirectiveKind::Define)
        else {
            continue;
        };
        let (parameters, body) = parameters(source, tokens, directive.tokens.clone());
        if parameters.is_empty() {
            continue;
        }
        let text = |index: usize| {
            tokens
                .get(index)
                .map_or(&b""[..], |token| token.text(source))
        };
        let mut own: Vec<Forwarder> = Vec::new();
        for index in body.clone() {
            let is_call = tokens.is(index + 1, source, "(")
                && tokens
                    .get(index)
                    .is_some_and(|token| token.kind == TokenKind::Identifier);
            if !is_call {
                continue;
            }
            let callee = text(index);
            let known = (0..consumers.len())
                .filter_map(|at| Some((at, consumers.get(at)?)))
                .filter(|(_, one)| one.callee.as_bytes() == callee && one.needs.is_empty())
                .map(|(at, one)| (at, one.argument));
            let earlier = found.iter().filter(|one| one.name == callee);
            let ways: Vec<(usize, usize)> = known
                .chain(earlier.map(|one| (one.consumer, one.parameter)))
                .collect();
            if ways.is_empty() {
                continue;
            }
            let Some(given) = arguments(source, tokens, index + 1) else {
                continue;
            };
            for (consumer, place) in ways {
                let Some(argument) = given.get(place).filter(|one| one.len() == 1) else {
                    continue;
                };
                let handed = text(argument.start);
                let parameter = parameters.iter().position(|one| one.as_slice() == handed);
                let uses = body.clone().filter(|&at| text(at) == handed).count();
                own.extend(parameter.map(|parameter| Forwarder {
                    name: name.text(source).to_vec(),
                    parameter,
                    consumer,
                    only: uses == 1,
                }));
            }
        }
        found.extend(own);
    }
    found
}
