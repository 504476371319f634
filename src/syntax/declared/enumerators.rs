//! The enumerators of an enumeration, with their values.

use std::ops::Range;

use super::model::{Declaration, DeclarationKind};
use super::types;
use super::walk::Walk;
use crate::{Macro, Token, TokenKind, constant};

impl Walk<'_> {
    /// What is known of a name in a constant expression.
    pub(super) fn state(&self, word: &[u8]) -> Macro {
        match self.values.get(word) {
            Some(value) => Macro::Value(*value),
            None => match (self.known)(word) {
                Macro::Value(value) => Macro::Value(value),
                // A name that is no macro of the file may be an enumerator of another.
                _ => Macro::Unknown,
            },
        }
    }

    /// Read the enumerators between two braces.
    pub(super) fn enumerators(&mut self, inside: Range<usize>, path: &str) {
        let tokens = self.tokens.tokens.get(inside).unwrap_or_default();
        let tokens: Vec<Token> = tokens
            .iter()
            .copied()
            .filter(|token| !token.in_directive)
            .collect();
        let mut next = Some(0_i64);
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let end = self.end_of_enumerator(rest);
            let (one, behind) = rest.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            let Some((name, more)) = one.split_first() else {
                continue;
            };
            if name.kind != TokenKind::Identifier {
                continue;
            }
            let equals = more.iter().position(|token| token.is(self.source, "="));
            let value = match equals {
                Some(at) => {
                    let expression = more.get(at + 1..).unwrap_or_default();
                    constant(self.source, expression, &|word| self.state(word))
                }
                None => next,
            };
            next = value.and_then(|value| value.checked_add(1));
            let word = name.text(self.source);
            if let Some(value) = value {
                self.values.insert(word.into(), value);
            }
            self.found.declarations.push(Declaration {
                name: types::text(word),
                path: path.into(),
                offset: name.range().start as u32,
                what: DeclarationKind::Enumerator(value),
            });
        }
    }

    fn end_of_enumerator(&self, tokens: &[Token]) -> usize {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token.text(self.source) {
                b"," if token.kind == TokenKind::Punct => return at,
                b"(" | b"[" | b"{" => at = types::behind_closing(self.source, tokens, at),
                _ => at += 1,
            }
        }
        tokens.len()
    }
}
