//! The lines of a log, without what only a terminal needs.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::LazyLock;

use regex::Regex;

use crate::mapping::safety::LOG_LINE;

/// Sequences of a terminal: colours and movements, links and titles, and others of two bytes.
static SEQUENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])").ok()
});

/// Read one line into `line`, at most as much of it as is looked at. Returns whether there was one.
///
/// # Errors
/// What the system says.
pub(super) fn next(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = memchr::memchr(b'\n', bytes);
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        let room = LOG_LINE.saturating_sub(line.len());
        line.extend_from_slice(part.get(..part.len().min(room)).unwrap_or_default());
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// A line as text: without the sequences of a terminal and what a progress bar wrote over, and with one kind of
/// quotes.
pub(super) fn clean(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let start = memchr::memrchr(b'\r', line).map_or(0, |at| at + 1);
    let mut text = String::from_utf8_lossy(line.get(start..).unwrap_or_default());
    if text.contains('\u{1b}')
        && let Some(sequence) = &*SEQUENCE
    {
        text = Cow::Owned(sequence.replace_all(&text, "").into_owned());
    }
    let is_quote = |letter: char| matches!(letter, '"' | '`' | '\u{b4}' | '\u{2018}'..='\u{201f}');
    if text.contains(is_quote) {
        text = Cow::Owned(text.replace(is_quote, "'"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_links_and_progress_are_no_text() {
        let text = |bytes: &[u8]| clean(bytes).into_owned();
        assert_eq!(
            text(b"\x1b[1ma.cu:1:2: \x1b[0;1;31merror: \x1b[0mno\r"),
            "a.cu:1:2: error: no"
        );
        assert_eq!(text(b"\x1b]8;;https://x\x07-Wall\x1b]8;;\x07"), "-Wall");
        assert_eq!(text(b"[1/2] one\r[2/2] two"), "[2/2] two");
        assert_eq!(
            text("\u{2018}x\u{2019} `y' \"z\"".as_bytes()),
            "'x' 'y' 'z'"
        );
        assert_eq!(text(b"\xff\x1b[K"), "\u{fffd}");
    }

    #[test]
    fn of_a_line_without_end_only_the_front_is_kept() {
        let long = [vec![b'a'; 5 * LOG_LINE], b"\nnext".to_vec()].concat();
        let mut input = io::BufReader::with_capacity(100, &long[..]);
        let mut line = Vec::new();
        assert!(next(&mut input, &mut line).expect("read"));
        assert_eq!(line.len(), LOG_LINE);
        assert!(next(&mut input, &mut line).expect("read"));
        assert_eq!(line, b"next");
        assert!(!next(&mut input, &mut line).expect("read"));
    }
}
