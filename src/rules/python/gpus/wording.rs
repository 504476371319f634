//! How findings show a piece of code.

use torchada_text::{shortened, without_middle};

/// At most so many letters are shown.
const MOST: usize = 60;

/// A text in one line, without its middle where it is long: the number of a comparison stands at its end.
pub(super) fn short(text: &str) -> String {
    without_middle(&in_one_line(text), MOST).into_owned()
}

/// The beginning of a text, in one line: what a statement does stands there.
pub(super) fn beginning(text: &str) -> String {
    shortened(&in_one_line(text), MOST).into_owned()
}

fn in_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
