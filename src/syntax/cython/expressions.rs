//! Expressions of Cython: names, and constructs that Python has no syntax for.

use super::Reader;
use crate::is_identifier_part;
use crate::lines::skip;
use torchada_text::TextRange;

impl Reader<'_> {
    /// Note the names between two places.
    pub(super) fn names(&mut self, from: usize, to: usize) {
        let byte = |at: usize| self.text.get(at).copied().unwrap_or(b'\n');
        let (mut at, mut before) = (from, b'\n');
        while at < to {
            let one = byte(at);
            if is_identifier_part(one) {
                let start = at;
                while is_identifier_part(byte(at)) {
                    at += 1;
                }
                let next = (at..to).find(|&at| !byte(at).is_ascii_whitespace());
                let equals = next.is_some_and(|at| byte(at) == b'=' && byte(at + 1) != b'=');
                let keyword = equals && matches!(before, b'(' | b',');
                if before != b'.' && !keyword && !one.is_ascii_digit() {
                    self.out.names.push(TextRange::new(start, at));
                }
            } else {
                at = skip(self.text, at);
            }
            if !one.is_ascii_whitespace() {
                before = one;
            }
        }
    }

    /// Code without casts and addresses.
    pub(super) fn expressions(&mut self, start: usize, end: usize) {
        let (mut from, mut at) = (start, start);
        let mut before = b'(';
        while at < end {
            let byte = self.text.get(at).copied().unwrap_or(b'\n');
            let foreign = match byte {
                b'<' if opens(before) => self.cast(at, end),
                b'&' if opens(before) => Some(1),
                _ => None,
            };
            if let Some(len) = foreign {
                self.keep(from, at);
                at += len;
                from = at;
                continue;
            }
            if byte != b'#' && !byte.is_ascii_whitespace() {
                before = byte;
            }
            at = skip(self.text, at);
        }
        self.keep(from, end);
    }

    /// How long the cast is that begins here.
    fn cast(&self, at: usize, end: usize) -> Option<usize> {
        let rest = TextRange::new(at, end).of(self.text);
        let close = rest.iter().position(|&byte| byte == b'>')?;
        let inside = rest.get(1..close)?;
        let part = |&byte: &u8| {
            is_identifier_part(byte)
                || matches!(byte, b' ' | b'*' | b'.' | b'[' | b']' | b':' | b',' | b'?')
        };
        (!inside.is_empty() && inside.iter().all(part)).then_some(close + 1)
    }
}

/// Whether an expression begins behind this byte.
fn opens(before: u8) -> bool {
    matches!(
        before,
        b'(' | b'=' | b',' | b'+' | b'-' | b'*' | b'/' | b'[' | b'{' | b':' | b'|' | b'%'
    )
}
