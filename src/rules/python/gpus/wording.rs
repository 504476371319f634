//! How findings show a piece of code.

use torchada_text::shortened;

/// A text in one line, cut where it is long.
pub(super) fn short(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    shortened(&line, 60).into_owned()
}
