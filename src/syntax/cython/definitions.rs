//! Definitions with types of C: classes, functions and variables become those of Python.

use super::Reader;
use crate::is_identifier_part;
use torchada_text::TextRange;

impl Reader<'_> {
    /// A class, a function or variables with types of C.
    pub(super) fn definition(&mut self, at: usize, end: usize) {
        let line = TextRange::new(at, end).of(self.text);
        if line.starts_with(b"class ") {
            self.keep(at, end);
            return;
        }
        let open = line.iter().position(|&byte| byte == b'(');
        let equals = line.iter().position(|&byte| byte == b'=');
        match (open, equals) {
            (Some(open), equals) if equals.is_none_or(|equals| open < equals) => {
                self.function(at, open, end);
            }
            (_, Some(equals)) => {
                let (name, _) = last_word(line.get(..equals).unwrap_or_default());
                let several = line.get(..equals).unwrap_or_default().contains(&b',');
                if several || name.is_empty() {
                    self.pass();
                } else {
                    self.keep(at + name.start, at + name.end);
                    self.out.python.push_decoded(b" ");
                    self.expressions(at + equals, end);
                }
            }
            _ => self.pass(),
        }
    }

    fn function(&mut self, at: usize, open: usize, end: usize) {
        let line = TextRange::new(at, end).of(self.text);
        let (name, _) = last_word(line.get(..open).unwrap_or_default());
        let close = closing(line, open);
        let (Some(close), false) = (close, name.is_empty()) else {
            self.pass();
            return;
        };
        let tail = line.get(close + 1..).unwrap_or_default();
        let Some(colon) = tail.iter().rposition(|&byte| byte == b':') else {
            // A declaration without a body.
            self.pass();
            return;
        };
        self.out.python.push_decoded(b"def ");
        self.keep(at + name.start, at + name.end);
        self.out.python.push_decoded(b"(");
        let mut from = open + 1;
        while from < close {
            let to = comma(line, from, close);
            self.parameter(at, from, to);
            if to < close {
                self.out.python.push_decoded(b",");
            }
            from = to + 1;
        }
        self.out.python.push_decoded(b")");
        self.keep(at + close + 1 + colon, end);
    }

    /// `float* x=1`: the name, and what stands behind it.
    fn parameter(&mut self, at: usize, from: usize, to: usize) {
        let line = TextRange::new(at, at + to).of(self.text);
        let one = line.get(from..to).unwrap_or_default();
        let end = one.iter().position(|byte| matches!(byte, b'=' | b':'));
        // `int[:, :] x`: the colon is the type's.
        let end = match end {
            Some(end)
                if one.get(end) == Some(&b':')
                    && one.get(..end).unwrap_or_default().contains(&b'[') =>
            {
                one.iter().position(|&byte| byte == b'=')
            }
            end => end,
        };
        let head = one.get(..end.unwrap_or(one.len())).unwrap_or_default();
        let (name, stars) = last_word(head);
        if name.is_empty() {
            // `*`, `/`
            self.keep(at + from, at + to);
            return;
        }
        self.out.python.push_decoded(&b"**"[..stars.min(2)]);
        self.keep(at + from + name.start, at + from + name.end);
        if let Some(end) = end {
            self.keep(at + from + end, at + to);
        }
    }
}

/// The last identifier of a text, and how many stars stand right before it.
fn last_word(text: &[u8]) -> (TextRange, usize) {
    let end = text.trim_ascii_end().len();
    let bytes = text.get(..end).unwrap_or_default();
    let len = bytes
        .iter()
        .rev()
        .take_while(|byte| is_identifier_part(**byte))
        .count();
    let start = end - len;
    let before = text.get(..start).unwrap_or_default();
    let stars = before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'*')
        .count();
    let typed = before.trim_ascii_start().len() > stars;
    (TextRange::new(start, end), if typed { 0 } else { stars })
}

/// The bracket that closes the one at `open`.
fn closing(line: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    line.iter().enumerate().skip(open).find_map(|(at, byte)| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// The next comma that is in no bracket or string, or the end.
fn comma(line: &[u8], from: usize, end: usize) -> usize {
    let (mut depth, mut quote) = (0usize, None);
    for (at, &byte) in line.iter().enumerate().take(end).skip(from) {
        match (byte, quote) {
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            (b',', None) if depth == 0 => return at,
            _ => {}
        }
    }
    end
}
