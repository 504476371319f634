//! The text of a template, with the macros of the same file in it put in.

use std::ops::Range;

use super::lower::Lowered;
use super::{Fault, Reason};
use crate::mapping::ptx::Limits;
use crate::syntax::ptx::{Piece, string_literal};
use crate::syntax::{DirectiveKind, TokenKind, Tokens, arguments};

/// A text, and for each of its bytes the offset in the source at which that byte is written.
pub(super) type Text = (String, Vec<usize>);

/// The texts that the pieces of a template can have: several where a macro has several definitions, or where an `#if`
/// chooses.
pub(super) fn texts(
    limits: Limits,
    source: &[u8],
    tokens: &Tokens,
    pieces: &[Piece],
) -> Lowered<Vec<Text>> {
    let mut found: Vec<Text> = vec![Text::default()];
    for piece in pieces {
        let mut ways: Vec<Text> = Vec::new();
        match piece {
            Piece::Literal(text, places) => ways.push((text.clone(), places.clone())),
            Piece::Macro(at) => {
                let place = tokens.get(*at).map_or(0, |token| token.range().start);
                let texts = expansions(source, tokens, *at)?.into_iter();
                ways.extend(texts.map(|text| (text.clone(), vec![place; text.len()])));
            }
            Piece::Choice(branches) => {
                for branch in branches {
                    ways.extend(texts(limits, source, tokens, branch)?);
                }
            }
        }
        if found.len() * ways.len() > limits.variants {
            return Err(unreadable(
                "its macros and conditionals have too many meanings",
            ));
        }
        let join = |front: &Text, back: &Text| {
            (
                format!("{}{}", front.0, back.0),
                [front.1.as_slice(), back.1.as_slice()].concat(),
            )
        };
        found = found
            .iter()
            .flat_map(|front| ways.iter().map(move |back| join(front, back)))
            .collect();
    }
    Ok(found)
}

fn unreadable(reason: &str) -> Fault {
    Fault::new(Reason::Unreadable, reason.to_owned())
}

/// What the macro that is used at the token `at` can stand for.
fn expansions(source: &[u8], tokens: &Tokens, at: usize) -> Lowered<Vec<String>> {
    let name = tokens.get(at).map_or(&b""[..], |token| token.text(source));
    let mut found: Vec<String> = Vec::new();
    for directive in &tokens.directives {
        let start = directive.tokens.start;
        if directive.kind != DirectiveKind::Define
            || start == at
            || tokens
                .get(start)
                .is_none_or(|token| token.text(source) != name)
        {
            continue;
        }
        let text = expansion(source, tokens, directive.tokens.clone(), at)
            .ok_or_else(|| unreadable("a macro in its template is more than text"))?;
        if !found.contains(&text) {
            found.push(text);
        }
    }
    if found.is_empty() {
        let name = String::from_utf8_lossy(name);
        return Err(unreadable(&format!(
            "this file does not define `{name}`, which makes a part of the template"
        )));
    }
    Ok(found)
}

/// The text of one definition, with the arguments of the use at the token `at`.
fn expansion(
    source: &[u8],
    tokens: &Tokens,
    definition: Range<usize>,
    at: usize,
) -> Option<String> {
    let name = tokens.get(definition.start)?.range();
    let mut body = definition.start + 1..definition.end;
    let opens = tokens.get(body.start).filter(|_| !body.is_empty());
    let takes_arguments =
        opens.is_some_and(|token| token.is(source, "(") && token.range().start == name.end);
    let mut parameters: Vec<&[u8]> = Vec::new();
    let mut used: Vec<Range<usize>> = Vec::new();
    if takes_arguments {
        let close = body.clone().find(|&at| tokens.is(at, source, ")"))?;
        let inside = body.start + 1..close;
        parameters = inside
            .filter_map(|at| tokens.get(at))
            .filter(|token| token.kind == TokenKind::Identifier)
            .map(|token| token.text(source))
            .collect();
        body.start = close + 1;
        used = arguments(source, tokens, at + 1)?;
    }
    let argument = |name: &[u8]| {
        let at = parameters.iter().position(|one| *one == name)?;
        used.get(at).cloned()
    };
    let mut text = String::new();
    let mut index = body.start;
    while index < body.end {
        let token = tokens.get(index)?;
        match token.kind {
            TokenKind::String | TokenKind::RawString => {
                text.push_str(&string_literal(source, token.range())?.0);
            }
            TokenKind::Punct if token.text(source) == b"#" => {
                index += 1;
                let inside = argument(tokens.get(index)?.text(source))?;
                let (first, last) = (
                    tokens.get(inside.start)?,
                    tokens.get(inside.end.checked_sub(1)?)?,
                );
                let written = source.get(first.range().start..last.range().end)?;
                text.push_str(std::str::from_utf8(written).ok()?);
            }
            TokenKind::Identifier => {
                for at in argument(token.text(source))? {
                    let token = tokens
                        .get(at)
                        .filter(|token| token.kind == TokenKind::String)?;
                    text.push_str(&string_literal(source, token.range())?.0);
                }
            }
            _ => return None,
        }
        index += 1;
    }
    Some(text)
}
