//! The values of constant operands, as far as the code before a statement shows them.

use std::ops::Range;

use super::source_file::SourceFile;
use torchada_syntax::ptx::{AsmStatement, constant, string_literal};
use torchada_syntax::{DirectiveKind, TokenKind, arguments, integer};

/// The value of a statement's operand: an expression of integers, and of names that the scopes around the statement
/// declare as such constants.
pub(crate) fn value(
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    operand: usize,
) -> Option<i128> {
    let operand = statement.operands().nth(operand)?;
    evaluated(file, operand.tokens.clone(), statement.keyword)
}

/// The value of the first argument in the brackets that open at a token.
pub(crate) fn argument(file: &SourceFile<'_>, open: usize) -> Option<i128> {
    let all = arguments(file.source, file.tokens, open)?;
    evaluated(file, all.into_iter().next()?, open)
}

/// The value of an expression, as the code before the token `place` shows it.
fn evaluated(file: &SourceFile<'_>, expression: Range<usize>, place: usize) -> Option<i128> {
    let text = Finder { file }.text(expression, place, 0)?;
    constant(&text, file.limits.nesting)
}

/// The text of a statement's operand: a name that the scopes around the statement declare as a constant array of
/// characters, with a string literal.
pub(crate) fn text(
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    operand: usize,
) -> Option<String> {
    let operand = statement.operands().nth(operand)?.tokens.clone();
    if operand.len() != 1 {
        return None;
    }
    let name = file.word(operand.start);
    let value = Finder { file }.declared(name, statement.keyword)?;
    let token = file.tokens.get(value.start).filter(|_| value.len() == 1)?;
    let text = string_literal(file.source, token.range())?.0;
    (token.kind == TokenKind::String).then_some(text)
}

struct Finder<'a> {
    file: &'a SourceFile<'a>,
}

impl Finder<'_> {
    fn word(&self, at: usize) -> &[u8] {
        self.file.word(at)
    }

    /// An expression with the values of names in it, as PTX writes expressions.
    fn text(&self, expression: Range<usize>, place: usize, depth: usize) -> Option<String> {
        let mut text = String::new();
        for at in expression {
            let token = self.file.tokens.get(at)?;
            match token.kind {
                TokenKind::Number => text.push_str(&integer(self.word(at))?.to_string()),
                TokenKind::Punct => text.push_str(std::str::from_utf8(self.word(at)).ok()?),
                TokenKind::Identifier if depth < self.file.limits.constants => {
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
        if self.file.tokens.get(place)?.in_directive {
            return None;
        }
        let from = place
            .saturating_sub(self.file.limits.declared_within)
            .max(1);
        let mut named = self.file.places(name, from..place).rev();
        let at =
            named.find(|&at| self.file.is_identifier(at - 1) && self.file.is_visible(at, place))?;
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
        let mut opened = 0_usize;
        let all = self.file.tokens.directives.iter();
        let mut between = all.filter(|one| one.tokens.start > from && one.tokens.end <= to);
        between.any(|directive| match directive.kind {
            kind if kind.opens() => {
                opened += 1;
                false
            }
            kind if kind.divides() => opened == 0,
            DirectiveKind::Endif if opened == 0 => true,
            DirectiveKind::Endif => {
                opened -= 1;
                false
            }
            _ => false,
        })
    }
}
