//! Comparisons of the architecture macro with a number.

use crate::{Context, Parsed};
use torchada_syntax::{DirectiveKind, Token, TokenKind, integer};
use torchada_text::TextRange;

use super::Unsupported;

/// The operator of a comparison with a number, the macro being on the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

impl Operator {
    fn of(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"<" => Self::Below,
            b"<=" => Self::AtMost,
            b">" => Self::Above,
            b">=" => Self::AtLeast,
            b"==" => Self::Equal,
            b"!=" => Self::Unequal,
            _ => return None,
        })
    }

    /// Whether `left` compares so with `right`.
    pub(super) fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Below => left < right,
            Self::AtMost => left <= right,
            Self::Above => left > right,
            Self::AtLeast => left >= right,
            Self::Equal => left == right,
            Self::Unequal => left != right,
        }
    }

    fn mirrored(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::AtMost => Self::AtLeast,
            Self::Above => Self::Below,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }
}

/// One comparison of the architecture macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The token index of the macro.
    pub index: usize,
    /// The whole comparison.
    pub range: TextRange,
    /// The operator, the macro being on the left.
    pub operator: Operator,
    /// The number; `None` where it is none that can be known here.
    pub number: Option<i64>,
    /// Whether the number stands on the left.
    pub mirrored: bool,
}

/// All comparisons of a file, and the places of the macro that are in none: each as a token index.
pub fn comparisons(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    unsupported: Unsupported<'_>,
) -> (Vec<Comparison>, Vec<usize>) {
    let macro_name = context.knowledge.shapes.guards.architecture.as_bytes();
    let (mut found, mut other) = (Vec::new(), Vec::new());
    for index in parsed.tokens.places(source, macro_name) {
        let site = ComparisonSite {
            source,
            parsed,
            unsupported,
        };
        if site.is_tested_only(index) {
            continue;
        }
        match site.comparison(index) {
            // Every GPU's number is above 0: it asks for device code, as `defined` does.
            Some(comparison) if comparison.number == Some(0) => {}
            Some(comparison) => found.push(comparison),
            None => other.push(index),
        }
    }
    (found, other)
}

struct ComparisonSite<'a> {
    source: &'a [u8],
    parsed: &'a Parsed,
    unsupported: Unsupported<'a>,
}

impl ComparisonSite<'_> {
    fn token(&self, index: usize) -> Option<Token> {
        self.parsed.tokens.get(index)
    }

    fn word(&self, index: usize) -> &[u8] {
        self.parsed.tokens.word(index, self.source)
    }

    fn before(&self, index: usize, back: usize) -> &[u8] {
        let tokens = &self.parsed.tokens;
        tokens.word_before(index, back, self.source)
    }

    /// `defined(X)`, `#ifdef X`, `#undef X`, `#if X && …`: the macro is tested, and not compared with a number.
    fn is_tested_only(&self, index: usize) -> bool {
        let direct = self.before(index, 1) == b"defined"
            || (self.before(index, 1) == b"(" && self.before(index, 2) == b"defined");
        let directive = self.parsed.tokens.directive_of(index);
        // `#define __CUDA_ARCH__ 900` for an editor asks for nothing either.
        let alone = directive.is_some_and(|one| {
            one.tokens.start == index
                && (one.tokens.len() == 1 || one.kind == DirectiveKind::Define)
        });
        let is_condition = directive
            .is_some_and(|one| matches!(one.kind, DirectiveKind::If | DirectiveKind::Elif));
        let joins = |word: &[u8]| matches!(word, b"" | b"&&" | b"||" | b"(" | b")" | b"!");
        let end = directive.is_some_and(|one| one.tokens.end == index + 1);
        let start = directive.is_some_and(|one| one.tokens.start == index);
        // `(__CUDA_ARCH__) >= 800` is a comparison.
        let in_brackets = self.before(index, 1) == b"(" && self.word(index + 1) == b")";
        let truth = is_condition
            && !in_brackets
            && (start || joins(self.before(index, 1)))
            && (end || joins(self.word(index + 1)));
        direct || alone || truth
    }

    fn comparison(&self, index: usize) -> Option<Comparison> {
        let (mut from, mut to) = (index, index);
        // `(__CUDA_ARCH__) >= 800`
        if self.before(from, 1) == b"(" && self.word(to + 1) == b")" {
            from -= 1;
            to += 1;
        }
        let behind = Operator::of(self.word(to + 1)).map(|operator| (operator, to + 2, false));
        let before = || {
            let operator = Operator::of(self.before(from, 1))?;
            Some((operator.mirrored(), from.checked_sub(2)?, true))
        };
        let (operator, other, mirrored) = behind.or_else(before)?;
        let kind = self.token(other)?.kind;
        if !matches!(kind, TokenKind::Number | TokenKind::Identifier) {
            return None;
        }
        // `800 * 2`, `f(800)`, `A::b`: no single number.
        let next = if mirrored {
            other.checked_sub(1)
        } else {
            Some(other + 1)
        };
        // What a directive compares ends with its line.
        let next = next.filter(|at| {
            let directive = self.parsed.tokens.directive_of(index);
            directive.is_none_or(|one| one.tokens.contains(at))
        });
        let beyond = next.map_or(&b""[..], |at| self.word(at));
        if matches!(
            beyond,
            b"+" | b"-" | b"*" | b"/" | b"%" | b"(" | b"::" | b"." | b"<<" | b">>"
        ) && !(mirrored && beyond == b"(")
        {
            return None;
        }
        let (first, last) = if mirrored { (other, to) } else { (from, other) };
        let range = TextRange::new(
            self.token(first)?.range().start,
            self.token(last)?.range().end,
        );
        let text = self.word(other);
        let number = match kind {
            TokenKind::Number => integer(text).and_then(|value| value.try_into().ok()),
            _ => self.unsupported.number(text),
        };
        Some(Comparison {
            index,
            range,
            operator,
            number,
            mirrored,
        })
    }
}
