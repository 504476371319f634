//! Putting pasted names together.

use rustc_hash::FxHashMap;

use crate::cpp::CppUnit;
use torchada_project::{Invocation, PastedPiece};

/// The text of a piece in one use of the macro: its own text, or the argument, where that is part of a name.
pub(super) fn argument(piece: &PastedPiece, one: &Invocation) -> Option<String> {
    match piece.parameter {
        None => Some(String::from_utf8_lossy(&piece.text).into_owned()),
        Some(at) => {
            let (_, text) = one.arguments.get(at)?;
            let text = String::from_utf8_lossy(text).into_owned();
            text.chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
                .then_some(text)
        }
    }
}

/// The name that these pieces make, each with its value.
pub(super) fn build(
    name: &[PastedPiece],
    value: &dyn Fn(&PastedPiece) -> Option<String>,
) -> Option<String> {
    build_with(name, &FxHashMap::default(), value)
}

/// Like `build`, with other pieces at some places.
pub(super) fn build_with(
    name: &[PastedPiece],
    changed: &FxHashMap<usize, String>,
    value: &dyn Fn(&PastedPiece) -> Option<String>,
) -> Option<String> {
    name.iter()
        .enumerate()
        .map(|(at, piece)| changed.get(&at).cloned().or_else(|| value(piece)))
        .collect()
}

/// The piece with its stem replaced, where it has one.
pub(super) fn by_stem(unit: &CppUnit<'_>, piece: &[u8]) -> Option<String> {
    let piece = std::str::from_utf8(piece).ok()?;
    unit.context.tables.stems().iter().find_map(|stem| {
        piece
            .strip_prefix(stem.cuda.as_ref())
            .map(|rest| format!("{}{rest}", stem.musa))
    })
}
