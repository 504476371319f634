//! Macros that make names or strings of their arguments, and where they are used.

use std::ops::Range;

use crate::facts::{Invocation, ListMacro, ParameterCall, PastedPiece, Paster};
use torchada_classify::FileClass;
use torchada_syntax::{DirectiveKind, LexOptions, TokenKind, Tokens, arguments, lex};
use torchada_text::TextRange;

use super::Parsed;

/// Macros whose bodies paste names, by their own names.
pub(super) fn pasters(source: &[u8], parsed: &Parsed) -> Vec<Paster> {
    let tokens = &parsed.tokens;
    let found = macros(source, tokens).filter_map(|one| paster(source, tokens, &one));
    let mut found: Vec<Paster> = found.collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// A macro whose body pastes names.
fn paster(source: &[u8], tokens: &Tokens, one: &Callable<'_>) -> Option<Paster> {
    let body = &one.body;
    body.clone().find(|&at| tokens.is(at, source, "##"))?;
    let parameter_of = |at: usize| one.place_of(tokens.get(at)?.text(source));
    let mut names = Vec::new();
    let mut only_pasted = vec![true; one.parameters.len()];
    let mut index = body.start;
    while index < body.end {
        let pieces = pasted_pieces(source, tokens, index..body.end);
        if pieces.len() > 1 {
            let pieces = pieces.iter().filter_map(|&piece| {
                let token = tokens.get(piece)?;
                Some(PastedPiece {
                    range: token.range(),
                    text: token.text(source).to_vec(),
                    parameter: parameter_of(piece),
                })
            });
            names.push(pieces.collect());
        } else if let Some(alone) = parameter_of(index).and_then(|at| only_pasted.get_mut(at)) {
            *alone = false;
        }
        index = pieces.last().map_or(index, |&last| last) + 1;
    }
    (!names.is_empty()).then(|| Paster {
        name: one.name.to_vec(),
        arity: one.parameters.len(),
        names,
        only_pasted,
    })
}

/// The tokens that the body of a macro pastes to the first one of a range; that one alone where it pastes none.
fn pasted_pieces(source: &[u8], tokens: &Tokens, range: Range<usize>) -> Vec<usize> {
    let mut pieces = vec![range.start];
    let first = tokens.get(range.start).map(|token| token.kind);
    if matches!(first, Some(TokenKind::Identifier | TokenKind::Number)) {
        let mut at = range.start;
        while tokens.is(at + 1, source, "##") && at + 2 < range.end {
            at += 2;
            pieces.push(at);
        }
    }
    pieces
}

/// Macros whose bodies call a parameter.
pub(super) fn lists(source: &[u8], tokens: &Tokens) -> Vec<ListMacro> {
    let mut found = Vec::new();
    for one in macros(source, tokens) {
        let calls = one.body.clone();
        let calls: Vec<_> = calls
            .filter(|&index| tokens.is(index + 1, source, "("))
            .filter_map(|index| {
                let parameter = one.place_of(tokens.get(index)?.text(source))?;
                let call_arguments = arguments(source, tokens, index + 1)?.into_iter();
                Some(ParameterCall {
                    parameter,
                    arguments: call_arguments
                        .map(|one| text_of(source, tokens, &one))
                        .collect(),
                })
            })
            .collect();
        if !calls.is_empty() {
            let name = one.name.to_vec();
            found.push(ListMacro { name, calls });
        }
    }
    found
}

/// A macro, a function, or a lambda with a name, each with its parameters.
pub(super) struct Callable<'s> {
    pub(super) name: &'s [u8],
    pub(super) parameters: Vec<&'s [u8]>,
    /// The places of the tokens of its body.
    pub(super) body: Range<usize>,
    pub(super) is_macro: bool,
}

impl Callable<'_> {
    /// The place of the parameter that a word is.
    pub(super) fn place_of(&self, word: &[u8]) -> Option<usize> {
        self.parameters.iter().position(|one| *one == word)
    }
}

/// The macros that a file defines, those without parameters among them.
pub(super) fn macros<'s>(source: &'s [u8], tokens: &Tokens) -> impl Iterator<Item = Callable<'s>> {
    tokens.defines().filter_map(|directive| {
        let name = tokens.get(directive.tokens.start)?.text(source);
        let (parameters, body) = parameters(source, tokens, directive.tokens.clone());
        Some(Callable {
            name,
            parameters,
            body,
            is_macro: true,
        })
    })
}

/// The parameters of a macro and the token range of its body.
fn parameters<'s>(
    source: &'s [u8],
    tokens: &Tokens,
    define: Range<usize>,
) -> (Vec<&'s [u8]>, Range<usize>) {
    let open = define.start + 1;
    let adjacent = tokens
        .get(define.start)
        .zip(tokens.get(open))
        .is_some_and(|(name, next)| name.range().end == next.range().start);
    if !adjacent || !tokens.is(open, source, "(") {
        return (Vec::new(), open..define.end);
    }
    let mut names = Vec::new();
    for index in open + 1..define.end {
        let Some(token) = tokens.get(index) else {
            break;
        };
        match token.text(source) {
            b")" => return (names, index + 1..define.end),
            b"," => {}
            text => names.push(text),
        }
    }
    (names, define.end..define.end)
}

/// The uses in one file of the macros that `wanted` accepts.
pub fn invocations(
    source: &[u8],
    class: FileClass,
    file: usize,
    wanted: &dyn Fn(&[u8]) -> bool,
) -> Vec<Invocation> {
    let tokens = lex(
        source,
        LexOptions {
            template: class.template,
        },
    );
    let mut found = Vec::new();
    for (index, token) in tokens.tokens.iter().enumerate() {
        if token.kind != TokenKind::Identifier || !wanted(token.text(source)) {
            continue;
        }
        let defines = tokens
            .directive_of(index)
            .is_some_and(|d| d.kind == DirectiveKind::Define && d.tokens.start == index);
        if defines || !tokens.is(index + 1, source, "(") {
            continue;
        }
        let Some(arguments) = arguments(source, &tokens, index + 1) else {
            continue;
        };
        let arguments = arguments
            .into_iter()
            .map(|range| text_of(source, &tokens, &range))
            .collect();
        found.push(Invocation {
            name: token.text(source).to_vec(),
            arguments,
            file,
            used_in: file,
        });
    }
    found
}

/// The place and the text of an argument.
fn text_of(source: &[u8], tokens: &Tokens, argument: &Range<usize>) -> (TextRange, Vec<u8>) {
    let first = tokens.get(argument.start).map_or(0, |t| t.range().start);
    let last = argument
        .end
        .checked_sub(1)
        .filter(|&last| last >= argument.start)
        .and_then(|last| tokens.get(last))
        .map_or(first, |t| t.range().end);
    let range = TextRange::new(first, last.max(first));
    (range, range.of(source).to_vec())
}
