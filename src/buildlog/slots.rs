//! What stands in the slots of a pattern.

use regex::Captures;

use super::message::LogPlace;
use crate::mapping::safety::LOG_TEXT;

/// The text in the slots of a pattern.
pub(super) fn text_of<'t>(found: &Captures<'t>) -> &'t str {
    let text = found.name("text");
    text.map_or("", |text| text.as_str()).trim()
}

/// The place in the slots of a pattern.
pub(super) fn place(found: &Captures<'_>) -> Option<LogPlace> {
    let number = |slot: &str| {
        let digits = found.name(slot)?.as_str();
        digits.parse::<usize>().ok()
    };
    let path = found.name("path").or_else(|| found.name("file"))?;
    Some(LogPlace {
        path: path.as_str().trim().to_owned(),
        line: number("line").unwrap_or(0),
        column: number("column").unwrap_or(0),
    })
}

/// The name in the slots of a pattern.
pub(super) fn slot(found: &Captures<'_>) -> Option<String> {
    let slots = ["name", "near", "lib", "word"];
    // Of optional slots a pattern has one.
    let mut names = slots.iter().filter_map(|one| found.name(one));
    Some(cut(names.next()?.as_str().trim()))
}

/// The front of a text, which may be as long as a line.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(LOG_TEXT).collect()
}
