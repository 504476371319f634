//! Verification of build files.

use std::collections::BTreeSet;

use super::words::is_word_for_word;
use super::{Withdrawn, errors_in, withdraw_errors};
use crate::edit::{Applied, Edit, EditSet, GroupId};
use crate::syntax::cmake::{Cmake, Command};
use crate::syntax::cmake_errors;

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
    let changed = edits.iter().filter(|edit| !is_plain(edit));
    let pieces: Option<BTreeSet<Piece<'_>>> =
        changed.map(|edit| changed_piece(cmake, edit)).collect();
    let is_sound = |piece: &Piece<'_>| cmake_errors(&piece.text(&after)) == Some(0);
    if !all && pieces.is_some_and(|pieces| pieces.iter().all(is_sound)) {
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

/// What edits change of a file. A piece that parses by itself is commands as before, and then the rest of the file is read as
/// it was.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'e> {
    /// Commands.
    Changed {
        /// The place of the commands in the text before the edits.
        range: (usize, usize),
        /// What goes before and behind a command that opens, parts or closes a block, to make a whole one.
        block: (&'static str, &'static str),
    },
    /// What is put in between commands.
    New(&'e [u8]),
}

impl Piece<'_> {
    /// The text to parse, after all edits.
    fn text(&self, after: &Applied) -> Vec<u8> {
        match *self {
            Self::Changed { range, block } => {
                let [start, end] = [range.0, range.1].map(|at| after.map.to_output(at));
                let commands = after.text.get(start..end).unwrap_or_default();
                [block.0.as_bytes(), commands, block.1.as_bytes()].concat()
            }
            Self::New(text) => text.to_vec(),
        }
    }
}

/// What an edit changes; `None` if that depends on the text around it.
fn changed_piece<'e>(cmake: &Cmake, edit: &'e Edit) -> Option<Piece<'e>> {
    let commands = cmake.touching(edit.range);
    let block_of = |one: &Command| block(one.lower_name().as_bytes());
    let (Some(first), Some(last)) = (commands.first(), commands.last()) else {
        return edit
            .range
            .is_empty()
            .then_some(Piece::New(&edit.replacement));
    };
    let block = match commands.iter().find_map(block_of) {
        None => ("", ""),
        Some((_, front, behind)) => {
            // Between its parentheses.
            let is_inside = commands.len() == 1
                && edit.range.start > first.name.end
                && edit.range.end < first.range.end;
            is_inside.then_some((*front, *behind))?
        }
    };
    let start = first.range.start.min(edit.range.start);
    let end = last.range.end.max(edit.range.end);
    Some(Piece::Changed {
        range: (start, end),
        block,
    })
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
    use crate::text::TextRange;

    /// How many groups are withdrawn of one that puts `new` in the place of `old`.
    fn withdrawn(text: &str, old: &str, new: &str) -> usize {
        let start = text.find(old).expect("it is there");
        let mut edits = EditSet::default();
        let range = TextRange::new(start, start + old.len());
        let edit = Edit::rewrite(range, new, "test", None, GroupId(1));
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
            ("\n  set", "\n  h(i)\n  set", 0),
        ] {
            assert_eq!(withdrawn(text, old, new), gone, "{old} -> {new}");
        }
    }
}
