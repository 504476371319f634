//! The audit's own token scan of C, C++ and CUDA text.
//!
//! Written without a look at the translator's lexer, and kept apart from it: a fault that both
//! would share could never show. Every byte of a file belongs to exactly one token.

pub(crate) use crate::token::{Kind, Token, is_word, spelling};

/// Cut `text` into tokens.
pub(crate) fn scan(text: &[u8]) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        at: 0,
        line: Line::Start,
        tokens: Vec::with_capacity(text.len() / 3),
    };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

/// What may stand before the first line, and is no part of it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where on a line the scanner is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks and comments so far.
    Start,
    /// In ordinary code.
    Code,
    /// After the `#` of a directive.
    Hash,
    /// Where an include names its header.
    Header,
    /// After `__has_include`, before its parenthesis.
    HasInclude,
    /// In the text of `#error` or `#warning`.
    Prose,
    /// Elsewhere in a directive.
    Directive,
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    line: Line,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Take one token.
    fn step(&mut self) {
        let start = self.at;
        let was = self.line;
        let kind = self.token();
        // Whatever the bytes are, the scan moves on.
        self.at = self.at.clamp(start + 1, self.text.len());
        let directive = !matches!(self.line, Line::Start | Line::Code)
            || !matches!(was, Line::Start | Line::Code);
        self.tokens.push(Token {
            kind,
            start,
            end: self.at,
            directive,
        });
    }

    fn token(&mut self) -> Kind {
        let (byte, next) = (self.byte(self.at), self.byte(self.at + 1));
        if self.at == 0 && self.text.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len();
            return Kind::Space;
        }
        if byte.is_ascii_whitespace() || byte == 0x0b || self.splice(self.at) > 0 {
            self.space();
            return Kind::Space;
        }
        if byte == b'/' && matches!(next, b'/' | b'*') {
            self.comment(next == b'*');
            return Kind::Comment;
        }
        // A comment of a template, which C++ can't have: nothing ends with `#}` there.
        if byte == b'{' && next == b'#' {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            if let Some(length) = line.windows(2).position(|pair| pair == b"#}") {
                self.at += length + 2;
                return Kind::Comment;
            }
        }
        if self.line == Line::Prose {
            while self.at < self.text.len() && self.byte(self.at) != b'\n' {
                self.at += self.splice(self.at).max(1);
            }
            if self.byte(self.at - 1) == b'\r' {
                self.at -= 1;
            }
            return Kind::Prose;
        }
        if self.line == Line::Header && matches!(byte, b'<' | b'"') {
            self.line = Line::Directive;
            if self.header(if byte == b'<' { b'>' } else { b'"' }) {
                return Kind::Header;
            }
        }
        let kind = self.plain(byte, next);
        self.advance(kind, byte);
        kind
    }

    /// A token of code, without regard to directives.
    fn plain(&mut self, byte: u8, next: u8) -> Kind {
        match byte {
            b'"' | b'\'' => {
                self.quoted(byte);
                literal(byte)
            }
            b'0'..=b'9' => self.number(),
            b'.' if next.is_ascii_digit() => self.number(),
            _ if is_word(byte) => self.word(),
            _ => {
                self.at += 1;
                Kind::Punctuation
            }
        }
    }

    /// What a significant token does to the state of the line.
    fn advance(&mut self, kind: Kind, byte: u8) {
        if matches!(self.line, Line::Start | Line::Code) {
            let opens = self.line == Line::Start && byte == b'#';
            self.line = if opens { Line::Hash } else { Line::Code };
            return;
        }
        let word = match self.tokens.last() {
            Some(last) if kind == Kind::Identifier => spelling(&self.text[last.end..self.at]),
            _ => (&[][..]).into(),
        };
        self.line = match self.line {
            Line::Hash => match &*word {
                b"include" | b"include_next" | b"import" => Line::Header,
                b"error" | b"warning" => Line::Prose,
                _ => Line::Directive,
            },
            Line::HasInclude if byte == b'(' => Line::Header,
            _ if word.starts_with(b"__has_include") => Line::HasInclude,
            _ => Line::Directive,
        };
    }

    /// Length of the continued line end at `at`, 0 where there is none.
    fn splice(&self, at: usize) -> usize {
        if self.byte(at) != b'\\' {
            return 0;
        }
        let mut end = at + 1;
        while matches!(self.byte(end), b' ' | b'\t' | b'\r') {
            end += 1;
        }
        if self.byte(end) == b'\n' {
            end + 1 - at
        } else {
            0
        }
    }

    fn space(&mut self) {
        loop {
            let byte = self.byte(self.at);
            let splice = self.splice(self.at);
            if splice > 0 {
                self.at += splice;
            } else if byte == b'\n' {
                self.line = Line::Start;
                self.at += 1;
            } else if byte.is_ascii_whitespace() || byte == 0x0b {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn comment(&mut self, block: bool) {
        self.at += 2;
        while self.at < self.text.len() {
            if block {
                if self.byte(self.at) == b'*' && self.byte(self.at + 1) == b'/' {
                    self.at += 2;
                    return;
                }
                self.at += 1;
            } else if self.byte(self.at) == b'\n' {
                return;
            } else {
                self.at += self.splice(self.at).max(1);
            }
        }
    }

    /// A header name up to `close`; false, and nothing taken, where the line ends before it.
    fn header(&mut self, close: u8) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|byte| *byte == close || *byte == b'\n');
        match end {
            Some(end) if rest.get(end) == Some(&close) => {
                self.at += end + 2;
                true
            }
            _ => false,
        }
    }

    /// A literal in quotes, from its opening quote on. It ends with its line at the latest.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() {
            let byte = self.byte(self.at);
            if byte == b'\\' {
                self.at += self.splice(self.at).max(2);
                continue;
            }
            if byte == b'\n' {
                return;
            }
            self.at += 1;
            if byte == quote {
                return;
            }
        }
    }

    /// A raw string from its opening quote on; false, and nothing taken, where it is none.
    fn raw(&mut self) -> bool {
        // A delimiter has at most 16 characters, none of them blank, parenthesis or backslash.
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let head = &rest[..rest.len().min(17)];
        let open = head
            .iter()
            .position(|byte| matches!(byte, b'(' | b')' | b'\\' | b' ' | b'\t' | b'\n' | b'"'));
        let Some(open) = open.filter(|open| head[*open] == b'(') else {
            return false;
        };
        let mut close = vec![b')'];
        close.extend_from_slice(&head[..open]);
        close.push(b'"');
        let body = &rest[open..];
        let end = body.windows(close.len()).position(|window| window == close);
        self.at += match end {
            Some(end) => 1 + open + end + close.len(),
            None => 1 + rest.len(),
        };
        true
    }

    fn number(&mut self) -> Kind {
        loop {
            let (byte, next) = (self.byte(self.at), self.byte(self.at + 1));
            let exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
            if (exponent && matches!(next, b'+' | b'-')) || (byte == b'\'' && is_word(next)) {
                self.at += 2;
            } else if is_word(byte) || byte == b'.' {
                self.at += 1;
            } else {
                return Kind::Number;
            }
        }
    }

    /// An identifier, or the literal whose prefix it is.
    fn word(&mut self) -> Kind {
        let start = self.at;
        loop {
            let splice = self.splice(self.at);
            if is_word(self.byte(self.at)) {
                self.at += 1;
            } else if splice > 0 && is_word(self.byte(self.at + splice)) {
                self.at += splice;
            } else {
                break;
            }
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let quote = self.byte(self.at);
        let raw = matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
        if raw && quote == b'"' {
            if !self.raw() {
                self.quoted(quote);
            }
            return Kind::String;
        }
        if matches!(word, b"L" | b"u" | b"U" | b"u8") && matches!(quote, b'"' | b'\'') {
            self.quoted(quote);
            return literal(quote);
        }
        Kind::Identifier
    }
}

fn literal(quote: u8) -> Kind {
    if quote == b'"' {
        Kind::String
    } else {
        Kind::Character
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
