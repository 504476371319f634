//! The code that an edit of a port stands in, as far as a macro would see it.

use crate::syntax::{DirectiveKind, LexOptions, TokenKind, Tokens, lex};
use crate::text::TextRange;

/// A file's text, taken apart.
pub(super) struct LexedText<'a> {
    text: &'a [u8],
    tokens: Tokens,
}

impl<'a> LexedText<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let tokens = lex(text, LexOptions::default());
        Self { text, tokens }
    }

    /// The index of the identifier that a range is, as a whole.
    pub(super) fn identifier(&self, range: TextRange) -> Option<usize> {
        let tokens = &self.tokens.tokens;
        let at = tokens.partition_point(|token| token.range().start < range.start);
        let token = tokens.get(at)?;
        let is_it = token.kind == TokenKind::Identifier && token.range() == range;
        is_it.then_some(at)
    }

    /// Whether a token is a macro in a condition, which tests whether the macro is defined or what its value is.
    pub(super) fn is_tested(&self, index: usize) -> bool {
        let directive = self.tokens.directive_of(index);
        directive.is_some_and(|directive| {
            !matches!(
                directive.kind,
                DirectiveKind::Define | DirectiveKind::Undef | DirectiveKind::Include
            )
        })
    }

    /// The whole name that a range is in, qualifiers and all.
    pub(super) fn chain(&self, range: TextRange) -> TextRange {
        let belongs = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
        let mut start = range.start;
        while start > 0 && self.text.get(start - 1).copied().is_some_and(belongs) {
            start -= 1;
        }
        let mut end = range.end;
        while self.text.get(end).copied().is_some_and(belongs) {
            end += 1;
        }
        // A label's or a range-for's colon is none of the name's.
        while start < range.start
            && self.text.get(start) == Some(&b':')
            && self.text.get(start + 1) != Some(&b':')
        {
            start += 1;
        }
        while end > range.end && self.text.get(end - 1) == Some(&b':') {
            end -= 1;
        }
        TextRange::new(start, end)
    }
}
