//! The asm statements of C++ text.

use std::ops::Range;

use super::blank::{blank, words};

/// The words that start one.
const KEYWORDS: [&str; 3] = ["asm", "__asm__", "__asm"];

/// The places of the asm statements in a text that are no mere barrier for the compiler: an empty template holds no
/// instruction.
pub(crate) fn statements(text: &str) -> Vec<Range<usize>> {
    let hidden = blank(text);
    words(&hidden)
        .filter(|(_, word)| KEYWORDS.contains(word))
        .filter_map(|(at, _)| {
            let open = at + hidden[at..].find('(')?;
            let template = text[open + 1..].trim_start();
            let is_empty = template.starts_with("\"\"") && !follows(&template[2..]);
            (!is_empty).then(|| at..end(&hidden, open))
        })
        .collect()
}

/// Whether text goes on with another string, which belongs to the one before.
fn follows(text: &str) -> bool {
    text.trim_start().starts_with('"')
}

/// Where the brackets end that open at a place.
fn end(text: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, one) in text[open..].char_indices() {
        match one {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return open + at + 1;
        }
    }
    text.len()
}
