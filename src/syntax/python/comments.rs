//! Comments, found without a tree.

use super::super::lines::{line_end, skip};
use torchada_text::line_start;

/// Whether one of some places of a module's text stands in its code, and not in a comment.
pub fn any_in_code(text: &[u8], mut places: impl Iterator<Item = usize>) -> bool {
    let mut behind_hash = Vec::new();
    // Whether a `#` begins a comment only all of the text before it tells: it is read where no place is surely in code.
    let is_in_code = |at: usize| {
        let front = text.get(..at).unwrap_or_default();
        let line = line_start(text, at);
        let is_sure = memchr::memchr(b'#', front.get(line..).unwrap_or_default()).is_none();
        if !is_sure {
            behind_hash.push(at);
        }
        is_sure
    };
    places.any(is_in_code) || {
        behind_hash.sort_unstable();
        stands_in_code(text, &behind_hash)
    }
}

/// Whether one of some places, sorted and each behind a `#` of its line, stands in code.
fn stands_in_code(text: &[u8], places: &[usize]) -> bool {
    let mut at = 0;
    let mut comment = 0..0;
    for &place in places {
        while at <= place {
            let rest = text.get(at..).unwrap_or_default();
            let Some(next) = memchr::memchr3(b'#', b'"', b'\'', rest) else {
                return true;
            };
            let start = at + next;
            at = skip(text, start);
            if text.get(start) == Some(&b'#') {
                comment = start..line_end(text, start);
            }
        }
        // A carriage return alone ends the comment for Python.
        let before = text.get(comment.start..place).unwrap_or_default();
        if !comment.contains(&place) || memchr::memchr(b'\r', before).is_some() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_in_a_comment_is_none_of_the_code() {
        let is_in_code = |text: &str| {
            let places = memchr::memmem::find_iter(text.as_bytes(), b"cuda");
            any_in_code(text.as_bytes(), places)
        };
        for code in [
            "cuda",
            "x = 1 # no\ncuda()",
            "x = \"# cuda\"",
            "\"\"\"\n# cuda\n\"\"\"",
            "'#'; cuda()",
            "# cuda\ncuda()",
            "# a comment\rcuda()",
            "'\\'# cuda'",
            "# one cuda\nx = '''# two cuda'''",
        ] {
            assert!(is_in_code(code), "{code}");
        }
        for comment in [
            "# cuda",
            "x = 1  # cuda and 'cuda'\r\n",
            "x = '''\n'''  # cuda\n# cuda cuda",
            "it = 1  # it's\n# cuda",
            "none",
        ] {
            assert!(!is_in_code(comment), "{comment}");
        }
    }
}
