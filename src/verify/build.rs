//! Verification of build files.

use super::words::is_word_for_word;
use super::{Withdrawn, errors_in, withdraw_errors};
use crate::edit::{Edit, EditSet, GroupId};

/// Counts the syntax errors of a text; `None` where it can't be parsed.
pub type CountErrors = fn(&[u8]) -> Option<usize>;

/// Take out the groups that bring syntax errors into a build file. `count` counts those, where a grammar tells. Where
/// only words change, it is parsed only if `all` says so.
pub fn withdraw_broken_build(
    text: &[u8],
    edits: &mut EditSet,
    count: Option<CountErrors>,
    all: bool,
) -> Vec<Withdrawn> {
    // Every word of a build file is a name or a text: another one in its place is read like it.
    let is_plain = |edit: &Edit| is_word_for_word(text, edit, is_fixed);
    let plain = !all && edits.iter().all(is_plain);
    let Some(count) = count.filter(|_| !plain) else {
        return Vec::new();
    };
    let mut groups: Vec<GroupId> = edits.iter().map(|edit| edit.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let after = edits.apply(text).text;
    let Some(errors) = errors_in(&after, count) else {
        return Vec::new();
    };
    withdraw_errors(text, edits, errors, &groups, count)
}

/// The commands that open, part and close blocks: <https://cmake.org/cmake/help/latest/manual/cmake-language.7.html>.
fn is_fixed(word: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 15] = [
        b"if",
        b"elseif",
        b"else",
        b"endif",
        b"foreach",
        b"endforeach",
        b"while",
        b"endwhile",
        b"function",
        b"endfunction",
        b"macro",
        b"endmacro",
        b"block",
        b"endblock",
        b"return",
    ];
    BLOCKS.iter().any(|known| known.eq_ignore_ascii_case(word))
}
