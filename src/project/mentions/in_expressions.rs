//! Endings of sources in regular expressions: `\\.cu$`, `[.]cu`, `\.(cu|cpp)$`.

use std::ops::Range;
use torchada_text::contains;

/// The spellings of a dot in an expression, where a plain `.` stands for any letter.
const DOTS: [&[u8]; 2] = [b"\\.", IN_BRACKETS];

/// The spelling that divides the dot of an ending from its letters, so that a search for `.cu` does not find `[.]cu`.
const IN_BRACKETS: &[u8] = b"[.]";

/// Whether a text has a dot in brackets, behind which a search for endings finds none.
pub(super) fn has_dot_in_brackets(text: &[u8]) -> bool {
    contains(text, IN_BRACKETS)
}

/// The endings of sources that expressions in a line look for, without their dots.
pub(super) fn bare_endings(line: &[u8], endings: &[&str]) -> Vec<Range<usize>> {
    let has_dot = DOTS.iter().any(|dot| contains(line, dot));
    if !has_dot {
        return Vec::new();
    }
    let bare = endings.iter().filter_map(|ending| ending.strip_prefix('.'));
    let mut found: Vec<Range<usize>> = bare
        .flat_map(|bare| {
            let places = memchr::memmem::find_iter(line, bare.as_bytes());
            places.map(|at| at..at + bare.len())
        })
        .filter(|range| {
            let (before, behind) = (line.get(..range.start), line.get(range.end));
            behind.is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_')
                && before.is_some_and(is_behind_dot)
        })
        .collect();
    found.sort_by_key(|range| range.start);
    found
}

/// Whether a text ends with a dot, or with the alternatives behind one: `\.(cpp|`.
fn is_behind_dot(text: &[u8]) -> bool {
    let ends = |text: &[u8]| DOTS.iter().any(|dot| text.ends_with(dot));
    if ends(text) {
        return true;
    }
    if !text.ends_with(b"|") && !text.ends_with(b"(") && !text.ends_with(b"(?:") {
        return false;
    }
    let is_alternative =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'|' | b'?' | b':' | b'+');
    let alternatives = text.iter().rev().take_while(is_alternative).count();
    let open = text.len() - alternatives;
    let group = text.get(..open).and_then(|front| front.strip_suffix(b"("));
    group.is_some_and(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<usize> {
        let found = bare_endings(line.as_bytes(), &[".cu", ".cuh"]);
        found.into_iter().map(|range| range.start).collect()
    }

    #[test]
    fn endings_stand_behind_a_dot_that_is_no_wildcard() {
        assert_eq!(found(r#"list(FILTER s INCLUDE REGEX "\\.cu$")"#), [32]);
        assert_eq!(found(r#"r"\.(cc|cuh|cu)$""#), [8, 12]);
        assert_eq!(found(r#""[.]cu""#), [4]);
        for line in [r"\.cuda$", r"\.[cm]u$", "k.cu", r"\.a cu", r"(cu|cpp)"] {
            assert_eq!(found(line), [0; 0], "{line}");
        }
    }
}
