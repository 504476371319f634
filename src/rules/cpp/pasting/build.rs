//! Putting pasted names together.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::cpp::CppUnit;
use torchada_project::{Invocation, PastedPiece};

/// The part of an argument that `##` joins to a name: its first word at the end of the name, `cuda##call` with `Free(p)`,
/// its last one in front, and between two others all of it.
pub(super) fn pasted_part(
    name: &[PastedPiece],
    at: usize,
    argument: &[u8],
) -> Option<Range<usize>> {
    let (is_first, is_last) = (at == 0, at + 1 == name.len());
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let part = match (is_first, is_last) {
        (false, true) => 0..argument.iter().take_while(is_part).count(),
        (true, false) => {
            let length = argument.iter().rev().take_while(is_part).count();
            argument.len() - length..argument.len()
        }
        _ if argument.iter().all(|byte| is_part(&byte)) => 0..argument.len(),
        _ => return None,
    };
    (!part.is_empty() || argument.is_empty()).then_some(part)
}

/// The text of a piece in one use of the macro: its own text, or what is joined of the argument.
fn text(name: &[PastedPiece], at: usize, one: &Invocation) -> Option<String> {
    let piece = name.get(at)?;
    let text = match piece.parameter {
        None => piece.text.as_slice(),
        Some(parameter) => {
            let (_, argument) = one.arguments.get(parameter)?;
            argument.get(pasted_part(name, at, argument)?)?
        }
    };
    Some(String::from_utf8_lossy(text).into_owned())
}

/// The name that these pieces make in one use of the macro.
pub(super) fn build(name: &[PastedPiece], one: &Invocation) -> Option<String> {
    build_with(name, &FxHashMap::default(), one)
}

/// Like `build`, with other pieces at some places.
pub(super) fn build_with(
    name: &[PastedPiece],
    changed: &FxHashMap<usize, String>,
    one: &Invocation,
) -> Option<String> {
    (0..name.len())
        .map(|at| changed.get(&at).cloned().or_else(|| text(name, at, one)))
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
