//! Macros that make strings, members or values of their parameters, themselves or through one that they hand them to.

use rustc_hash::{FxHashMap, FxHashSet};

use super::macros::macros;
use crate::facts::ParameterMacro;
use torchada_syntax::{Tokens, arguments};

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
    if found.is_empty() {
        return found;
    }
    let handing = handed_parameters(source, tokens);
    let known = found.iter().flat_map(|one| {
        let parameters = one.parameters.iter();
        parameters.map(|&parameter| (one.name.clone(), parameter))
    });
    let mut waiting: Vec<(Vec<u8>, usize)> = known.collect();
    let mut seen: FxHashSet<(Vec<u8>, usize)> = waiting.iter().cloned().collect();
    while let Some(taken) = waiting.pop() {
        for (name, parameter) in handing.get(&taken).into_iter().flatten() {
            let one = (name.to_vec(), *parameter);
            if seen.insert(one.clone()) {
                found.push(ParameterMacro {
                    name: one.0.clone(),
                    parameters: vec![one.1],
                });
                waiting.push(one);
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// For a parameter of a macro, by the macro's name and the parameter's place, the parameters of others that are handed
/// to it as they are.
type HandedParameters<'s> = FxHashMap<(Vec<u8>, usize), Vec<(&'s [u8], usize)>>;

fn handed_parameters<'s>(source: &'s [u8], tokens: &Tokens) -> HandedParameters<'s> {
    let mut handing = HandedParameters::default();
    for one in macros(source, tokens).filter(|one| !one.parameters.is_empty()) {
        let calls = one.body.clone();
        for at in calls.filter(|&at| tokens.is(at + 1, source, "(")) {
            let Some(callee) = tokens.get(at) else {
                continue;
            };
            let words = arguments(source, tokens, at + 1).unwrap_or_default();
            for (place, word) in words.iter().enumerate().filter(|(_, word)| word.len() == 1) {
                let word = tokens.get(word.start);
                if let Some(own) = word.and_then(|word| one.place_of(word.text(source))) {
                    let taken = (callee.text(source).to_vec(), place);
                    handing.entry(taken).or_default().push((one.name, own));
                }
            }
        }
    }
    handing
}

/// Macros in whose bodies a parameter stands behind a token that `marks` accepts, by their names.
fn parameter_macros_alone(
    source: &[u8],
    tokens: &Tokens,
    marks: &dyn Fn(usize) -> bool,
) -> Vec<ParameterMacro> {
    let found = macros(source, tokens).filter_map(|one| {
        let marked = one.body.clone().filter(|&index| marks(index));
        let made = marked.filter_map(|index| one.place_of(tokens.get(index + 1)?.text(source)));
        let parameters: Vec<usize> = made.collect();
        (!parameters.is_empty()).then(|| ParameterMacro {
            name: one.name.to_vec(),
            parameters,
        })
    });
    let mut found: Vec<ParameterMacro> = found.collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
