//! A lexer for C, C++ and CUDA sources, over bytes.
//!
//! Complete and blind to broken syntax: whatever the bytes are, every identifier of the code is
//! a token, and nothing inside a comment or a literal is one. A tree can't give that: 3 % of the
//! CUDA names of real projects lie under an error node.

mod directives;
mod opaque;

use super::token::{DirectiveKind, HOLE, Token, TokenKind};
use super::tokens::Tokens;
use torchada_text::TextRange;

/// Options of the lexer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LexOptions {
    /// The file is a template: `{{ }}`, `{% %}`, `{# #}`, `@X@` and `${X}` are placeholders.
    pub template: bool,
}

/// Lex a whole file. Never fails: bytes that are no token of C++ become punctuation.
pub fn lex(source: &[u8], options: LexOptions) -> Tokens {
    let mut lexer = Lexer {
        source,
        at: if source.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        },
        options,
        out: Tokens {
            // Real code has a token for four to seven bytes.
            tokens: Vec::with_capacity(source.len() / 5),
            ..Tokens::default()
        },
        directive: None,
        line_is_blank: true,
    };
    lexer.run();
    lexer.out
}

/// Whether a byte can start an identifier. Bytes of multi-byte characters can.
pub fn is_identifier_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a byte can continue an identifier.
pub fn is_identifier_part(byte: u8) -> bool {
    is_identifier_start(byte) || byte.is_ascii_digit()
}

/// Where a word stands in a text as a whole, and not as a part of a longer identifier.
pub fn whole_words<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|&byte| is_identifier_part(byte));
    memchr::memmem::find_iter(text, word).filter(move |&at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

/// The identifier that starts at a place of a text; empty where none does.
pub fn identifier_at(text: &[u8], start: usize) -> TextRange {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| is_identifier_part(**byte));
    TextRange::new(start, start + length.count())
}

/// For each byte, whether it goes on an identifier whatever follows it: all that can, but for the
/// byte that a [`HOLE`] starts with.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    loop {
        let is_part = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
        plain[byte as usize] = is_part && byte != HOLE.as_bytes()[0];
        if byte == u8::MAX {
            break plain;
        }
        byte += 1;
    }
};

struct Lexer<'s> {
    source: &'s [u8],
    at: usize,
    options: LexOptions,
    out: Tokens,
    directive: Option<OpenDirective>,
    /// Whether only white space and comments have come since the line began, so that a `#` opens a directive.
    line_is_blank: bool,
}

impl Lexer<'_> {
    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, start: usize) {
        let token = Token::new(kind, self.directive.is_some(), start, self.at);
        self.out.tokens.push(token);
        self.line_is_blank = false;
    }

    fn run(&mut self) {
        while let Some(&byte) = self.source.get(self.at) {
            let start = self.at;
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.identifier(),
                b'\n' => {
                    self.close_directive();
                    self.at += 1;
                    self.line_is_blank = true;
                }
                b' ' => {
                    let rest = self.source.get(self.at..).unwrap_or_default();
                    self.at += rest.iter().take_while(|&&byte| byte == b' ').count();
                }
                b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.splice_len() > 0 => self.at += self.splice_len(),
                b'/' if self.peek(1) == b'/' => {
                    self.line_comment();
                    self.comment(start);
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment();
                    self.comment(start);
                }
                b'{' | b'$' | b'@' if self.options.template && self.placeholder() => {
                    self.push(TokenKind::Placeholder, start);
                }
                _ => self.token(byte),
            }
        }
        self.close_directive();
    }

    /// Length in bytes of a line continuation here, 0 if there is none.
    #[inline]
    fn splice_len(&self) -> usize {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Whether something is put in here.
    #[inline]
    fn at_hole(&self) -> bool {
        let hole = HOLE.as_bytes();
        hole.first() == Some(&self.peek(0))
            && self.source.get(self.at..self.at + hole.len()) == Some(hole)
    }

    #[inline]
    fn token(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' if self.expects_header_name() => {
                self.delimited(b'"');
                self.push(TokenKind::HeaderName, start);
            }
            b'"' => {
                self.quoted(b'"');
                self.push(TokenKind::String, start);
            }
            b'\'' => {
                self.quoted(b'\'');
                self.push(TokenKind::Char, start);
            }
            b'#' if self.line_is_blank && self.directive.is_none() => self.open_directive(),
            b'<' if self.expects_header_name() => {
                self.delimited(b'>');
                self.push(TokenKind::HeaderName, start);
            }
            _ if is_identifier_start(byte) && !self.at_hole() => self.identifier(),
            _ if self.at_hole() => {
                self.at += HOLE.len();
                self.push(TokenKind::Placeholder, start);
            }
            _ => {
                self.at += self.punct_len(byte);
                self.push(TokenKind::Punct, start);
            }
        }
    }

    fn identifier(&mut self) {
        let start = self.at;
        loop {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let is_plain = |byte: &u8| PLAIN.get(usize::from(*byte)).copied() == Some(true);
            self.at += rest.iter().take_while(|byte| is_plain(byte)).count();
            match self.peek(0) {
                b'"' | b'\'' => break,
                b'\\' if self.splice_len() > 0 => {
                    let splice = self.splice_len();
                    if !is_identifier_part(self.peek(splice)) {
                        return self.push(TokenKind::Identifier, start);
                    }
                    self.at += splice;
                }
                // What a hole starts with starts other letters, too.
                0x80.. if !self.at_hole() => self.at += 1,
                _ => return self.push(TokenKind::Identifier, start),
            }
        }
        let text = self.source.get(start..self.at).unwrap_or_default();
        match (text, self.peek(0)) {
            (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => {
                self.raw_string();
                self.push(TokenKind::RawString, start);
            }
            (b"L" | b"u" | b"U" | b"u8", b'"') => {
                self.quoted(b'"');
                self.push(TokenKind::String, start);
            }
            (b"L" | b"u" | b"U" | b"u8", b'\'') => {
                self.quoted(b'\'');
                self.push(TokenKind::Char, start);
            }
            _ => self.push(TokenKind::Identifier, start),
        }
    }

    fn number(&mut self) {
        let start = self.at;
        loop {
            let byte = self.peek(0);
            let exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
            if exponent && matches!(self.peek(1), b'+' | b'-') {
                self.at += 2;
            } else if byte == b'.' || is_identifier_part(byte) {
                self.at += 1;
            } else if byte == b'\'' && is_identifier_part(self.peek(1)) {
                self.at += 2;
            } else {
                break;
            }
        }
        self.push(TokenKind::Number, start);
    }

    /// Note the comment that was read since `start`.
    fn comment(&mut self, start: usize) {
        let end = self.at.min(self.source.len());
        self.out.comments.push(TextRange::new(start, end));
    }

    /// Length of the operator here. Only the operators that decide something are kept whole.
    #[inline]
    fn punct_len(&self, byte: u8) -> usize {
        let next = self.peek(1);
        match byte {
            b'<' | b'>' | b'.' if next == byte && self.peek(2) == byte => 3,
            b'<' | b':' | b'#' | b'&' | b'|' if next == byte => 2,
            b'=' | b'!' | b'<' | b'>' if next == b'=' => 2,
            b'-' if next == b'>' => 2,
            _ => 1,
        }
    }
}

/// A directive that is being read.
pub(super) struct OpenDirective {
    kind: DirectiveKind,
    start: usize,
    first_token: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::DirectiveKind;

    fn texts(source: &str) -> Vec<&str> {
        lex(source.as_bytes(), LexOptions::default())
            .tokens
            .iter()
            .map(|token| &source[token.range().start..token.range().end])
            .collect()
    }

    #[test]
    fn comments_and_literals_hide_what_they_hold() {
        let source = "a /* b */ \"c // d\" // e \\\n f\n'\"' R\"x(g)\" )x\" h";
        assert_eq!(
            texts(source),
            ["a", "\"c // d\"", "'\"'", "R\"x(g)\" )x\"", "h"]
        );
    }

    #[test]
    fn digit_separators_are_not_quotes() {
        assert_eq!(texts("1'000'000 + 0x1p-3f"), ["1'000'000", "+", "0x1p-3f"]);
    }

    #[test]
    fn a_directive_runs_over_its_continuations() {
        let source = b"#  define F(x) \\\r\n  cuda##x\r\nint y;";
        let tokens = lex(source, LexOptions::default());
        let directive = &tokens.directives[0];
        assert_eq!(directive.kind, DirectiveKind::Define);
        assert_eq!(directive.tokens, 0..7);
        assert!(!tokens.tokens[7].in_directive);
    }

    #[test]
    fn header_names_are_told_from_strings_and_comparisons() {
        let source =
            "# include <cuda.h> // x\n#include\"a.cuh\"\n#if __has_include(<b>) && 1 < 2\n#endif";
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let names: Vec<_> = tokens
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::HeaderName)
            .map(|token| &source[token.range().start..token.range().end])
            .collect();
        assert_eq!(names, ["<cuda.h>", "\"a.cuh\"", "<b>"]);
    }

    #[test]
    fn an_error_message_is_not_code() {
        assert_eq!(texts("#error don't use cudaMalloc\nint"), ["int"]);
    }

    #[test]
    fn placeholders_of_a_template_are_whole_tokens() {
        let source = b"cuda{{ name }} @N@ a{{1}}";
        let tokens = lex(source, LexOptions { template: true });
        let kinds: Vec<_> = tokens.tokens.iter().map(|token| token.kind).collect();
        let (name, gap) = (TokenKind::Identifier, TokenKind::Placeholder);
        assert_eq!(kinds, [name, gap, gap, name, gap]);
    }

    #[test]
    fn unterminated_literals_end_with_the_line() {
        assert_eq!(texts("\"abc\nint x"), ["\"abc", "int", "x"]);
        assert_eq!(texts("R\"(abc\nint"), ["R\"(abc", "int"]);
    }
}
