//! Verification of build files.

use super::words::is_word_for_word;
use super::{Withdrawn, errors_in, withdraw_errors};
use crate::edit::{Applied, Edit, EditSet, GroupId};
use crate::syntax::cmake::{Cmake, Command};
use crate::syntax::cmake_errors;
use crate::text::TextRange;

/// Take out the groups that bring syntax errors into a build file with the `CMake` commands `cmake`; a file of another
/// language has no grammar here. Where edits change nothing but words, or commands that parse by themselves, the whole
/// file is parsed only if `all` says so.
pub fn withdraw_broken_build(
    text: &[u8],
    edits: &mut EditSet,
    cmake: Option<&Cmake>,
    all: bool,
) -> Vec<Withdrawn> {
    let Some(cmake) = cmake else {
        return Vec::new();
    };
    // Every word of a build file is a name or a text: another one in its place is read like it.
    let is_plain = |edit: &Edit| is_word_for_word(text, edit, is_fixed);
    if !all && edits.iter().all(is_plain) {
        return Vec::new();
    }
    let after = edits.apply(text);
    let is_sound = |edit: &Edit| is_plain(edit) || parses_alone(&after, cmake, edit);
    if !all && edits.iter().all(is_sound) {
        return Vec::new();
    }
    let mut groups: Vec<GroupId> = edits.iter().map(|edit| edit.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let Some(errors) = errors_in(&after.text, cmake_errors) else {
        return Vec::new();
    };
    withdraw_errors(text, edits, errors, &groups, cmake_errors)
}

/// Whether the commands that an edit changes parse by themselves in the text after all edits. They are commands as they
/// were, so the text around them is read as before.
fn parses_alone(after: &Applied, cmake: &Cmake, edit: &Edit) -> bool {
    let commands = cmake.touching(edit.range);
    let block = |one: &Command| block(one.lower_name().as_bytes());
    let output = |start: usize, end: usize| {
        let [start, end] = [start, end].map(|at| after.map.to_output(at));
        after.text.get(start..end).unwrap_or_default()
    };
    let piece = match commands {
        [one] if let Some((_, front, behind)) = block(one) => {
            let arguments = TextRange::new(one.name.end + 1, one.range.end - 1);
            if !arguments.covers(edit.range) {
                return false;
            }
            let piece = output(one.range.start, one.range.end);
            [front.as_bytes(), piece, behind.as_bytes()].concat()
        }
        _ if commands.iter().any(|one| block(one).is_some()) => return false,
        [first, ..] => {
            let last = commands.last().unwrap_or(first);
            let start = first.range.start.min(edit.range.start);
            output(start, last.range.end.max(edit.range.end)).to_vec()
        }
        // Between commands.
        [] if edit.range.is_empty() => edit.replacement.clone(),
        [] => return false,
    };
    cmake_errors(&piece) == Some(0)
}

/// The commands that open, part and close blocks, each with what makes a whole block of it:
/// <https://cmake.org/cmake/help/latest/manual/cmake-language.7.html>.
const BLOCKS: [(&str, &str, &str); 15] = [
    ("if", "", "\nendif()"),
    ("elseif", "if(x)\n", "\nendif()"),
    ("else", "if(x)\n", "\nendif()"),
    ("endif", "if(x)\n", ""),
    ("foreach", "", "\nendforeach()"),
    ("endforeach", "foreach(x)\n", ""),
    ("while", "", "\nendwhile()"),
    ("endwhile", "while(x)\n", ""),
    ("function", "", "\nendfunction()"),
    ("endfunction", "function(x)\n", ""),
    ("macro", "", "\nendmacro()"),
    ("endmacro", "macro(x)\n", ""),
    ("block", "", "\nendblock()"),
    ("endblock", "block()\n", ""),
    ("return", "", ""),
];

fn block(word: &[u8]) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let mut known = BLOCKS.iter();
    known.find(|(known, ..)| known.as_bytes().eq_ignore_ascii_case(word))
}

fn is_fixed(word: &[u8]) -> bool {
    block(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Applicability;
    use crate::edit::EditKind;

    /// How many groups are withdrawn of one that puts `new` in the place of `old`.
    fn withdrawn(text: &str, old: &str, new: &str) -> usize {
        let start = text.find(old).expect("it is there");
        let mut edits = EditSet::default();
        let edit = Edit {
            range: TextRange::new(start, start + old.len()),
            replacement: new.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind: EditKind::Rewrite,
            group: GroupId(1),
            rule: "test",
            evidence: None,
        };
        edits.insert(edit).expect("free");
        let file = Cmake::read(text.as_bytes());
        withdraw_broken_build(text.as_bytes(), &mut edits, Some(&file), false).len()
    }

    #[test]
    fn an_edit_stays_where_the_commands_that_it_touches_still_parse() {
        let text = "if(A)\n  set(B \"c d\") # e\nendif()\nf(g)\n";
        for (old, new, gone) in [
            ("c d", "c;d", 0),
            ("c d", "c \" d", 1),
            ("\"c d\")", "c)\n  set(H i)", 0),
            ("\"c d\")", "c", 1),
            ("  set", "  h(i)\n  set", 0),
            ("f(g)\n", "f(g))\n", 1),
            ("f(g)", "if(g)", 1),
            ("endif()\n", "", 1),
            ("if(A)", "if(A AND B)", 0),
            ("(A)", "(A AND B)", 0),
            ("A)", "A AND B)", 0),
            ("A", "A AND (B", 1),
            ("endif()", "endif(A OR (B))", 0),
        ] {
            assert_eq!(withdrawn(text, old, new), gone, "{old} -> {new}");
        }
    }
}
