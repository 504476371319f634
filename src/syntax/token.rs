//! The tokens that the lexer yields.

use std::ops::Range;

use torchada_text::TextRange;

/// The character that stands for a placeholder in the code of a string.
pub const HOLE: &str = "\u{fffc}";

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Identifier,
    /// A preprocessing number, digit separators and suffixes included.
    Number,
    /// A string literal with its prefix and quotes.
    String,
    /// A raw string literal with its prefix, delimiters and quotes.
    RawString,
    /// A character literal.
    Char,
    /// The argument of `#include` or `__has_include`, delimiters included.
    HeaderName,
    /// A template's placeholder (`{{ x }}`, `{% if %}`, `@X@`, `${X}`) or a [`HOLE`]: text that is
    /// not code.
    Placeholder,
    /// Any operator or punctuation.
    Punct,
}

/// One token of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// Whether the token is part of a preprocessing directive.
    pub in_directive: bool,
    start: u32,
    end: u32,
}

impl Token {
    #[inline]
    pub(super) fn new(kind: TokenKind, in_directive: bool, start: usize, end: usize) -> Self {
        Self {
            kind,
            in_directive,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The bytes that the token covers.
    #[inline]
    pub fn range(self) -> TextRange {
        TextRange::new(self.start as usize, self.end as usize)
    }

    /// The token's text.
    #[inline]
    pub fn text(self, source: &[u8]) -> &[u8] {
        self.range().of(source)
    }

    /// What stands between the marks around a string or a header's name: none where nothing does.
    pub fn inside(self) -> Option<TextRange> {
        let TextRange { start, end } = self.range();
        (end > start + 2).then(|| TextRange::new(start + 1, end - 1))
    }

    /// Whether the token is a string literal, raw or not.
    #[inline]
    pub fn is_literal(self) -> bool {
        matches!(self.kind, TokenKind::String | TokenKind::RawString)
    }

    /// Whether the token is the punctuation of this one byte.
    #[inline]
    pub fn is_mark(self, source: &[u8], byte: u8) -> bool {
        self.kind == TokenKind::Punct
            && self.end == self.start + 1
            && source.get(self.start as usize) == Some(&byte)
    }

    /// Whether the token is the identifier or punctuation `text`.
    #[inline]
    pub fn is(self, source: &[u8], text: &str) -> bool {
        self.text(source) == text.as_bytes()
            && matches!(self.kind, TokenKind::Identifier | TokenKind::Punct)
    }
}

/// The kinds of preprocessing directives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DirectiveKind {
    /// `#define`
    Define,
    /// `#undef`
    Undef,
    /// `#include`, `#include_next`, `#import`
    Include,
    /// `#if`
    If,
    /// `#ifdef`
    Ifdef,
    /// `#ifndef`
    Ifndef,
    /// `#elif`
    Elif,
    /// `#elifdef`
    Elifdef,
    /// `#elifndef`
    Elifndef,
    /// `#else`
    Else,
    /// `#endif`
    Endif,
    /// `#pragma`
    Pragma,
    /// `#error`, `#warning`: the rest of the line is a message and yields no tokens.
    Message,
    /// Anything else.
    Other,
}

impl DirectiveKind {
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"define" => Self::Define,
            b"undef" => Self::Undef,
            b"include" | b"include_next" | b"import" => Self::Include,
            b"if" => Self::If,
            b"ifdef" => Self::Ifdef,
            b"ifndef" => Self::Ifndef,
            b"elif" => Self::Elif,
            b"elifdef" => Self::Elifdef,
            b"elifndef" => Self::Elifndef,
            b"else" => Self::Else,
            b"endif" => Self::Endif,
            b"pragma" => Self::Pragma,
            b"error" | b"warning" => Self::Message,
            _ => Self::Other,
        }
    }

    /// Whether it opens a conditional.
    pub fn opens(self) -> bool {
        matches!(self, Self::If | Self::Ifdef | Self::Ifndef)
    }

    /// Whether it ends a branch of a conditional and begins the next one.
    pub fn divides(self) -> bool {
        self == Self::Else || self.has_condition() && !self.opens()
    }

    /// Whether a condition follows.
    pub fn has_condition(self) -> bool {
        let divides = matches!(self, Self::Elif | Self::Elifdef | Self::Elifndef);
        self.opens() || divides
    }
}

/// One preprocessing directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The kind of the directive.
    pub kind: DirectiveKind,
    /// From the `#` to the end of the logical line, without the line end.
    pub range: TextRange,
    /// Indices of the tokens behind the directive's name.
    pub tokens: Range<usize>,
}

impl Directive {
    /// Whether this is `#error`.
    pub fn is_error(&self, source: &[u8]) -> bool {
        let text = self.range.of(source);
        let name = text.get(1..).unwrap_or_default().trim_ascii_start();
        self.kind == DirectiveKind::Message && name.starts_with(b"error")
    }

    /// A condition of C++, by its tokens, as one of the preprocessor.
    pub fn condition(tokens: Range<usize>) -> Self {
        Self {
            kind: DirectiveKind::If,
            range: TextRange::new(0, 0),
            tokens,
        }
    }
}
