//! Macros that hand the pieces of a name to another macro: `#define API(name) CONCAT(cuda, name)`.

use std::ops::Range;

use super::macros::{Callable, macros};
use crate::facts::{Joiner, PastedPiece, Paster};
use torchada_mapping::Tables;
use torchada_syntax::{TokenKind, Tokens, arguments};

/// Macros that hand words to another macro, some of them their parameters, the others the beginnings of CUDA names.
pub(super) fn joiners(source: &[u8], tokens: &Tokens, tables: &Tables) -> Vec<Joiner> {
    let begins_name = |text: &[u8]| {
        let mut stems = tables.stems().iter();
        stems.any(|stem| text.starts_with(stem.cuda.as_bytes()))
    };
    macros(source, tokens)
        .filter(|one| !one.parameters.is_empty())
        .filter_map(|one| joiner(source, tokens, &one, &begins_name))
        .collect()
}

fn joiner(
    source: &[u8],
    tokens: &Tokens,
    one: &Callable<'_>,
    begins_name: &dyn Fn(&[u8]) -> bool,
) -> Option<Joiner> {
    let body = &one.body;
    let parameter_of = |at: usize| one.place_of(tokens.get(at)?.text(source));
    let piece = |argument: &Range<usize>| {
        let token = tokens.get(argument.start).filter(|_| argument.len() == 1)?;
        let parameter = parameter_of(argument.start);
        let text = token.text(source);
        let is_piece =
            parameter.is_some() || token.kind == TokenKind::Identifier && begins_name(text);
        is_piece.then(|| PastedPiece {
            range: token.range(),
            text: text.to_vec(),
            parameter,
        })
    };
    let (open, pieces) = body.clone().find_map(|open| {
        let callee = tokens.get(open.checked_sub(1).filter(|at| body.contains(at))?)?;
        if callee.kind != TokenKind::Identifier || !tokens.is(open, source, "(") {
            return None;
        }
        let words = arguments(source, tokens, open)?;
        let pieces: Option<Vec<PastedPiece>> = words.iter().map(piece).collect();
        let pieces = pieces.filter(|pieces| pieces.len() > 1)?;
        let has_parameter = pieces.iter().any(|piece| piece.parameter.is_some());
        has_parameter.then_some((open, pieces))
    })?;
    let call = pieces.first()?.range.start..pieces.last()?.range.end;
    let is_inside = |at: usize| {
        let token = tokens.get(at);
        token.is_some_and(|token| call.contains(&token.range().start))
    };
    let alone = |parameter: usize| {
        body.clone()
            .any(|at| parameter_of(at) == Some(parameter) && !is_inside(at))
    };
    Some(Joiner {
        callee: tokens.get(open - 1)?.text(source).to_vec(),
        macro_itself: Paster {
            name: one.name.to_vec(),
            arity: one.parameters.len(),
            names: vec![pieces],
            only_pasted: (0..one.parameters.len()).map(|at| !alone(at)).collect(),
        },
    })
}
