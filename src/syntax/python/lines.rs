//! The logical lines of a module: brackets, strings and comments taken into account.

use super::super::lines::{behind_string, line_end};

/// A logical line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LogicalLine<'t> {
    /// Its indentation, a tab counted to the next multiple of eight.
    pub(super) indent: usize,
    /// Where its text starts in the file.
    pub(super) at: usize,
    /// Its text without the indentation, to its end or a comment behind it.
    pub(super) text: &'t str,
}

impl LogicalLine<'_> {
    /// Where a part of the line's text stands in the file.
    pub(super) fn place_of(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.at + offset
    }
}

/// The logical lines of a text, empty ones and comments left out.
pub(super) struct LogicalLines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> LogicalLines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { text, at }
    }
}

impl<'t> Iterator for LogicalLines<'t> {
    type Item = LogicalLine<'t>;

    fn next(&mut self) -> Option<LogicalLine<'t>> {
        let bytes = self.text.as_bytes();
        // White space, empty lines and comments.
        let mut indent = 0;
        loop {
            match bytes.get(self.at)? {
                b' ' => indent += 1,
                b'\t' => indent = (indent / 8 + 1) * 8,
                b'\n' | b'\r' | b'\x0c' => indent = 0,
                b'#' => {
                    self.at = line_end(bytes, self.at);
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        let start = self.at;
        let mut depth = 0_usize;
        let (mut code, mut end) = (start, start);
        // Take in the code from one place to another.
        let mut take_in = |from: usize, to: usize| {
            let to = to.min(bytes.len());
            let taken = bytes.get(from..to).unwrap_or_default().trim_ascii_end();
            if !taken.is_empty() {
                end = from + taken.len();
            }
        };
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let plain = rest.iter().take_while(|&&byte| is_plain(byte)).count();
            self.at += plain;
            let Some(byte) = rest.get(plain) else { break };
            match byte {
                b'\n' if depth == 0 => break,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'#' => {
                    take_in(code, self.at);
                    self.at = line_end(bytes, self.at);
                    code = self.at;
                    continue;
                }
                b'\\' => {
                    self.at += if bytes.get(self.at + 1) == Some(&b'\r') {
                        3
                    } else {
                        2
                    };
                    continue;
                }
                b'"' | b'\'' => {
                    self.at = behind_string(bytes, self.at);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        take_in(code, self.at);
        Some(LogicalLine {
            indent,
            at: start,
            text: self.text.get(start..end).unwrap_or_default(),
        })
    }
}

/// Whether a byte says nothing of where a logical line goes on or ends.
fn is_plain(byte: u8) -> bool {
    const PLAIN: [bool; 256] = {
        let mut plain = [true; 256];
        let mut at = 0;
        let others = b"\n\\#\"'()[]{}";
        while at < others.len() {
            plain[others[at] as usize] = false;
            at += 1;
        }
        plain
    };
    PLAIN.get(usize::from(byte)).is_none_or(|&plain| plain)
}

/// Whether a byte may stand in a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
