//! Texts of several lines in files of JSON: what such a text names, nothing asks for.

use std::ops::Range;
use torchada_text::contains;

/// The parts of a line outside of its strings of several lines. A string that is a file's name has one line; a log, a
/// program or a page that a string quotes has more, and names whatever it does.
pub(crate) fn outside(line: &[u8], line_break: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = line.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let start = at + open + 1;
        let end = start + length(line.get(start..).unwrap_or_default());
        let text = line.get(start..end).unwrap_or_default();
        if contains(text, line_break) {
            found.push(from..start);
            from = end;
        }
        at = end + 1;
    }
    found.push(from.min(line.len())..line.len());
    found
}

/// The length of a string up to its closing quote.
fn length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = text
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        if text.get(at + found) == Some(&b'"') {
            return at + found;
        }
        at += found + 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_strings_of_several_lines_are_left_out() {
        let line = br#"{"log": "nvcc a.cu\n\"done\"", "files": ["b.cu"], "open": "c.cu\n"#;
        let kept: Vec<&[u8]> = outside(line, br"\n")
            .into_iter()
            .filter_map(|range| line.get(range))
            .collect();
        let kept = kept.concat();
        let has = |name: &[u8]| contains(&kept, name);
        assert!(!has(b"a.cu") && has(b"b.cu") && !has(b"c.cu"));
        assert_eq!(outside(b"b.cu", br"\n").first(), Some(&(0..4)));
    }
}
