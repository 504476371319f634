//! The values of constant operands, as far as the code before a statement shows them.

use std::ops::Range;

use torchada_mapping::ptx::Limits;
use torchada_syntax::ptx::{AsmStatement, constant, string_literal};
use torchada_syntax::{DirectiveKind, TokenKind, Tokens, arguments, integer};

/// The value of a statement's operand: an expression of integers, and of names that the scopes around the statement
/// declare as such constants.
pub(super) fn value(
    limits: Limits,
    source: &[u8],
    tokens: &Tokens,
    statement: &AsmStatement,
    operand: usize,
) -> Option<i128> {
    let operand = statement.operands().nth(operand)?;
    let finder = Finder {
        limits,
        source,
        tokens,
    };
    let text = finder.text(operand.tokens.clone(), statement.keyword, 0)?;
    constant(&text, limits.nesting)
}

/// The value of the first argument in the brackets that open at a token.
pub(super) fn argument(
    limits: Limits,
    source: &[u8],
    tokens: &Tokens,
    open: usize,
) -> Option<i128> {
    let first = arguments(source, tokens, open)?.into_iter().next()?;
    let finder = Finder {
        limits,
        source,
        tokens,
    };
    constant(&finder.text(first, open, 0)?, limits.nesting)
}

/// The text of a statement's operand: a name that the scopes around the statement declare as a constant array of
/// characters, with a string literal.
pub(super) fn text(
    limits: Limits,
    source: &[u8],
    tokens: &Tokens,
    statement: &AsmStatement,
    operand: usize,
) -> Option<String> {
    let operand = statement.operands().nth(operand)?.tokens.clone();
    let finder = Finder {
        limits,
        source,
        tokens,
    };
    let name = finder.word(operand.start);
    if operand.len() != 1 {
        return None;
    }
    let value = finder.declared(name, statement.keyword)?;
    let token = tokens.get(value.start).filter(|_| value.len() == 1)?;
    let text = string_literal(source, token.range())?.0;
    (token.kind == TokenKind::String).then_some(text)
}

struct Finder<'a> {
    limits: Limits,
    source: &'a [u8],
    tokens: &'a Tokens,
}

impl Finder<'_> {
    fn word(&self, at: usize) -> &[u8] {
        self.tokens
            .get(at)
            .map_or(b"", |token| token.text(self.source))
    }

    /// An expression with the values of names in it, as PTX writes expressions.
    fn text(&self, expression: Range<usize>, place: usize, depth: usize) -> Option<String> {
        let mut text = String::new();
        for at in expression {
            let token = self.tokens.get(at)?;
            match token.kind {
                TokenKind::Number => text.push_str(&integer(self.word(at))?.to_string()),
                TokenKind::Punct => text.push_str(std::str::from_utf8(self.word(at)).ok()?),
                TokenKind::Identifier if depth < self.limits.constants => {
                    let value = self.declared(self.word(at), place)?;
                    let start = value.start;
                    text.extend(["(", &self.text(value, start, depth + 1)?, ")"]);
                }
                _ => return None,
            }
            text.push(' ');
        }
        Some(text)
    }

    /// The value in the declaration of the constant that `name` means at the token `place`.
    fn declared(&self, name: &[u8], place: usize) -> Option<Range<usize>> {
        if self.tokens.get(place)?.in_directive {
            return None;
        }
        // Scopes that are closed before the place declare nothing for it.
        let mut closed = 0_usize;
        let is_identifier = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| token.kind == TokenKind::Identifier)
        };
        let from = place.saturating_sub(self.limits.declared_within).max(1);
        let at = (from..place).rev().find(|&at| {
            let Some(token) = self.tokens.get(at) else {
                return false;
            };
            if token.kind == TokenKind::Punct {
                match token.text(self.source) {
                    b"}" => closed += 1,
                    b"{" => closed = closed.saturating_sub(1),
                    _ => {}
                }
            }
            closed == 0
                && token.kind == TokenKind::Identifier
                && token.text(self.source) == name
                && is_identifier(at - 1)
        })?;
        // `name[]`
        let is_array = self.word(at + 1) == b"[" && self.word(at + 2) == b"]";
        let equals = at + if is_array { 3 } else { 1 };
        let before = (from - 1..at).rev().map(|at| self.word(at));
        let before: Vec<&[u8]> = before
            .take_while(|word| !matches!(*word, b";" | b"{" | b"}"))
            .collect();
        // A parameter's value is the one that it has where nobody gives another.
        let is_parameter = before
            .iter()
            .any(|word| matches!(*word, b"(" | b"<" | b","));
        let mut words = before.iter();
        let is_constant =
            !is_parameter && words.any(|word| matches!(*word, b"constexpr" | b"const"));
        if !is_constant || self.word(equals) != b"=" || self.is_left(at, place) {
            return None;
        }
        let end = (equals + 1..place).find(|&end| matches!(self.word(end), b";" | b","))?;
        Some(equals + 1..end)
    }

    /// Whether the branch of a conditional around the token at `from` ends before the one at `to`.
    fn is_left(&self, from: usize, to: usize) -> bool {
        use DirectiveKind::{Elif, Elifdef, Elifndef, Else, Endif, If, Ifdef, Ifndef};
        let mut opened = 0_usize;
        let all = self.tokens.directives.iter();
        let mut between = all.filter(|one| one.tokens.start > from && one.tokens.end <= to);
        between.any(|directive| match directive.kind {
            If | Ifdef | Ifndef => {
                opened += 1;
                false
            }
            Elif | Elifdef | Elifndef | Else => opened == 0,
            Endif if opened == 0 => true,
            Endif => {
                opened -= 1;
                false
            }
            _ => false,
        })
    }
}
