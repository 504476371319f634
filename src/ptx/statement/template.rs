//! The text of a template, with the macros of the same file in it put in.

use super::macros::Macros;
use super::source_file::SourceFile;
use crate::lowerer::Lowered;
use crate::{Fault, Reason};
use torchada_syntax::ptx::Piece;

/// A text, and for each of its bytes the offset in the source at which that byte is written.
pub(crate) type Text = (String, Vec<usize>);

/// The texts that the pieces of a template can have: several where a macro has several definitions, or where an `#if`
/// chooses.
pub(crate) fn texts(file: &SourceFile<'_>, pieces: &[Piece]) -> Lowered<Vec<Text>> {
    let mut found: Vec<Text> = vec![Text::default()];
    for piece in pieces {
        let mut ways: Vec<Text> = Vec::new();
        match piece {
            Piece::Literal(text, places) => ways.push((text.clone(), places.clone())),
            Piece::Macro(at) => {
                let place = file.tokens.get(*at).map_or(0, |token| token.range().start);
                let texts = expansions(file, *at)?.into_iter();
                ways.extend(texts.map(|text| (text.clone(), vec![place; text.len()])));
            }
            Piece::Choice(branches) => {
                for branch in branches {
                    ways.extend(texts(file, branch)?);
                }
            }
        }
        if found.len() * ways.len() > file.limits.variants {
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
fn expansions(file: &SourceFile<'_>, at: usize) -> Lowered<Vec<String>> {
    let macros = Macros::new(file);
    let name = String::from_utf8_lossy(file.word(at));
    if macros.is_parameter(at) {
        return Err(unreadable(&format!(
            "`{name}`, a parameter of the macro around it, makes a part of the template"
        )));
    }
    let found = macros.texts(at);
    if found.is_empty() {
        return Err(unreadable(&format!(
            "this file does not define `{name}`, which makes a part of the template"
        )));
    }
    let texts: Option<Vec<String>> = found.into_iter().collect();
    texts.ok_or_else(|| unreadable("a macro in its template is more than text"))
}

/// A template with the operands in it that are text, as the compiler puts them in.
pub(crate) fn with_operands_of_text(
    (text, places): (&str, &[usize]),
    text_of: &dyn Fn(usize) -> Option<String>,
) -> Text {
    let (mut found, mut found_places) = (String::new(), Vec::new());
    let mut rest = 0;
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let mut take = |from: usize, to: usize, other: Option<&str>| {
        let written = other.or(text.get(from..to)).unwrap_or_default();
        let place = places.get(from).copied().unwrap_or_default();
        match other {
            Some(other) => found_places.extend(std::iter::repeat_n(place, other.len())),
            None => found_places.extend_from_slice(places.get(from..to).unwrap_or_default()),
        }
        found.push_str(written);
    };
    for at in memchr::memchr_iter(b'%', text.as_bytes()) {
        // `%%` is no operand.
        if at < rest || at > 0 && text.as_bytes().get(at - 1) == Some(&b'%') {
            continue;
        }
        let mut end = at + 1;
        while is_digit(end) {
            end += 1;
        }
        let number = text.get(at + 1..end).unwrap_or_default().parse().ok();
        if let Some(other) = number.and_then(text_of) {
            take(rest, at, None);
            take(at, end, Some(&other));
            rest = end;
        }
    }
    take(rest, text.len(), None);
    (found, found_places)
}
