//! Literals, comments and placeholders, whose content the rest of the lexer does not see.

use memchr::{memchr, memchr3, memmem};

use super::{Lexer, identifier_at, is_identifier_start};

impl Lexer<'_> {
    /// A string or character literal; an unterminated one ends with its line.
    pub(super) fn quoted(&mut self, quote: u8) {
        self.at += 1;
        loop {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let Some(next) = memchr3(quote, b'\\', b'\n', rest) else {
                self.at = self.source.len();
                return;
            };
            self.at += next;
            match self.peek(0) {
                b'\n' => return,
                b'\\' => self.at += self.splice_len().max(2),
                _ => {
                    self.at += 1;
                    return;
                }
            }
        }
    }

    /// A raw string from its opening quote on; an unterminated one is taken for a plain string.
    pub(super) fn raw_string(&mut self) {
        let open = self.at + 1;
        let rest = self.source.get(open..).unwrap_or_default();
        let delimiter_len = rest
            .iter()
            .take(17)
            .position(|&byte| byte == b'(')
            .filter(|&len| {
                rest.iter()
                    .take(len)
                    .all(|&b| !matches!(b, b' ' | b'\\' | b')' | b'\t' | b'\n' | b'"'))
            });
        let Some(len) = delimiter_len else {
            return self.quoted(b'"');
        };
        let mut closer = Vec::with_capacity(len + 2);
        closer.push(b')');
        closer.extend_from_slice(rest.get(..len).unwrap_or_default());
        closer.push(b'"');
        let body = rest.get(len + 1..).unwrap_or_default();
        match memmem::find(body, &closer) {
            Some(at) => self.at = open + len + 1 + at + closer.len(),
            None => self.quoted(b'"'),
        }
    }

    /// A comment up to the end of its line, or of the last that it goes on over.
    pub(super) fn line_comment(&mut self) {
        loop {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let Some(end) = memchr(b'\n', rest) else {
                self.at = self.source.len();
                return;
            };
            let line = rest.get(..end).unwrap_or_default();
            self.at += end;
            if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
                return;
            }
            self.at += 1;
        }
    }

    /// A comment in `/* */`; an unterminated one takes the rest of the file.
    pub(super) fn block_comment(&mut self) {
        let body = self.source.get(self.at + 2..).unwrap_or_default();
        self.at = memmem::find(body, b"*/").map_or(self.source.len(), |end| self.at + 2 + end + 2);
    }

    /// A header's name up to its closing delimiter or the end of the line.
    pub(super) fn delimited(&mut self, closer: u8) {
        self.at += 1;
        while self.at < self.source.len() && self.peek(0) != b'\n' {
            self.at += 1;
            if self.source.get(self.at - 1) == Some(&closer) {
                return;
            }
        }
    }

    /// A template's placeholder, if one begins here. Returns whether one did.
    pub(super) fn placeholder(&mut self) -> bool {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let len = match (self.peek(0), self.peek(1)) {
            (b'{', b'{') => memmem::find(rest, b"}}").map(|end| end + 2),
            (b'{', b'%') => memmem::find(rest, b"%}").map(|end| end + 2),
            (b'{', b'#') => memmem::find(rest, b"#}").map(|end| end + 2),
            (b'$', b'{') => memmem::find(rest, b"}").map(|end| end + 1),
            (b'@', next) if is_identifier_start(next) => {
                let end = identifier_at(rest, 1).end;
                (rest.get(end) == Some(&b'@')).then_some(end + 1)
            }
            _ => None,
        };
        if let Some(len) = len {
            self.at += len;
        }
        len.is_some()
    }
}
