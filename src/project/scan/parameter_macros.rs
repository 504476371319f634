//! Macros that make strings, members or values of their parameters, themselves or through one that they hand them to.

use super::macros::parameters;
use crate::facts::ParameterMacro;
use torchada_syntax::{DirectiveKind, Tokens, arguments};

/// Macros whose bodies make strings of parameters.
pub(super) fn stringizers(source: &[u8], tokens: &Tokens) -> Vec<ParameterMacro> {
    parameter_macros(source, tokens, &|index| tokens.is(index, source, "#"))
}

/// Macros whose bodies take members by the names of parameters: `api.name`.
pub(super) fn accessors(source: &[u8], tokens: &Tokens) -> Vec<ParameterMacro> {
    parameter_macros(source, tokens, &|index| {
        (tokens.is(index, source, ".") || tokens.is(index, source, "->"))
            && !tokens.is(index + 2, source, "##")
    })
}

/// Macros that give a member what has its name: `.name = name`.
pub(super) fn namesakes(
    source: &[u8],
    tokens: &Tokens,
    accessors: &[ParameterMacro],
) -> Vec<ParameterMacro> {
    if accessors.is_empty() {
        return Vec::new();
    }
    let is_value = |index: usize| {
        let mut marks = ["=", "&", "::"].iter();
        marks.any(|mark| tokens.is(index, source, mark))
    };
    let mut found = parameter_macros_alone(source, tokens, &is_value);
    found.retain(|one| !ParameterMacro::named(accessors, &one.name).is_empty());
    found
}

/// Macros in whose bodies a parameter stands behind a token that `marks` accepts, by their names, and those that hand
/// theirs to such a macro of the same file.
fn parameter_macros(
    source: &[u8],
    tokens: &Tokens,
    marks: &dyn Fn(usize) -> bool,
) -> Vec<ParameterMacro> {
    let mut found = parameter_macros_alone(source, tokens, marks);
    // Each round finds those that call one of the round before.
    let mut from = 0;
    while from < found.len() {
        let known = found.split_off(from);
        let handing = handing_on(source, tokens, &known);
        from += known.len();
        found.extend(known);
        let is_new = |one: &ParameterMacro| !found.contains(one);
        let handing: Vec<ParameterMacro> = handing.into_iter().filter(is_new).collect();
        found.extend(handing);
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The macros that hand a parameter of their own to one of `known` at a place of its list.
fn handing_on(source: &[u8], tokens: &Tokens, known: &[ParameterMacro]) -> Vec<ParameterMacro> {
    let defines = tokens.directives.iter();
    let defines = defines.filter(|one| one.kind == DirectiveKind::Define);
    let found = defines.filter_map(|directive| {
        let range = directive.tokens.clone();
        let name = tokens.get(range.start)?.text(source);
        let (parameters, body) = parameters(source, tokens, range);
        let calls = body.filter(|&at| tokens.is(at + 1, source, "("));
        let mut handed: Vec<usize> = Vec::new();
        for at in calls {
            let Some(text) = tokens.get(at).map(|token| token.text(source)) else {
                continue;
            };
            let mut takers = known.iter().filter(|one| one.name == text).peekable();
            if takers.peek().is_none() {
                continue;
            }
            let words = arguments(source, tokens, at + 1).unwrap_or_default();
            for place in takers.flat_map(|one| &one.parameters) {
                let word = words.get(*place).filter(|word| word.len() == 1);
                let word = word.and_then(|word| tokens.get(word.start));
                let word = word.map(|token| token.text(source));
                handed.extend(parameters.iter().position(|one| Some(*one) == word));
            }
        }
        (!handed.is_empty()).then(|| ParameterMacro {
            name: name.to_vec(),
            parameters: handed,
        })
    });
    found.collect()
}

/// Macros in whose bodies a parameter stands behind a token that `marks` accepts, by their names.
fn parameter_macros_alone(
    source: &[u8],
    tokens: &Tokens,
    marks: &dyn Fn(usize) -> bool,
) -> Vec<ParameterMacro> {
    let defines = tokens
        .directives
        .iter()
        .filter(|one| one.kind == DirectiveKind::Define);
    let found = defines.filter_map(|directive| {
        let range = directive.tokens.clone();
        if !range.clone().any(marks) {
            return None;
        }
        let name = tokens.get(range.start)?.text(source).to_vec();
        let (parameters, body) = parameters(source, tokens, range);
        let made = body
            .filter(|&index| marks(index))
            .filter_map(|index| tokens.get(index + 1))
            .filter_map(|token| {
                parameters
                    .iter()
                    .position(|name| *name == token.text(source))
            });
        let parameters: Vec<usize> = made.collect();
        (!parameters.is_empty()).then_some(ParameterMacro { name, parameters })
    });
    let mut found: Vec<ParameterMacro> = found.collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
