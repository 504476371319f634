//! Conditionals on the way through a header: which branches are read.

use super::model::{Declaration, DeclarationKind, MacroBody};
use super::types;
use super::walk::Walk;
use crate::{Directive, DirectiveKind, Token, TokenKind, Truth, constant, evaluate};

impl<'a> Walk<'a> {
    /// Take in the directives that stand before the token that comes next.
    pub(super) fn pass_directives(&mut self) {
        while let Some(directive) = self.tokens.directives.get(self.directive)
            && directive.tokens.start <= self.at
        {
            self.directive += 1;
            self.pass(directive);
        }
    }

    fn pass(&mut self, directive: &Directive) {
        match directive.kind {
            kind if kind.opens() => {
                self.note_tested(directive);
                let truth = evaluate(self.source, self.tokens, directive, self.known);
                self.certain.push(truth == Truth::True);
                if truth == Truth::False {
                    self.skip(false);
                }
            }
            kind if kind.has_condition() => {
                self.note_tested(directive);
                // A declaration that has begun goes on in one branch; the others have another text of it.
                if self.certain.last() == Some(&true) || !self.statement.is_empty() {
                    return self.skip(true);
                }
                let truth = evaluate(self.source, self.tokens, directive, self.known);
                if let Some(certain) = self.certain.last_mut() {
                    *certain = truth == Truth::True;
                }
                if truth == Truth::False {
                    self.skip(false);
                }
            }
            DirectiveKind::Else
                if self.certain.last() == Some(&true) || !self.statement.is_empty() =>
            {
                self.skip(true);
            }
            DirectiveKind::Endif => {
                self.certain.pop();
            }
            DirectiveKind::Define => self.define(directive),
            _ => {}
        }
    }

    /// Go on at the next branch of the conditional, or at its end.
    fn skip(&mut self, to_its_end: bool) {
        let mut depth = 0_usize;
        while let Some(directive) = self.tokens.directives.get(self.directive) {
            match directive.kind {
                kind if kind.opens() => depth += 1,
                DirectiveKind::Endif if depth == 0 => break,
                DirectiveKind::Endif => depth -= 1,
                kind if kind.divides() && depth == 0 && !to_its_end => break,
                _ => {}
            }
            self.directive += 1;
        }
        let next = self.tokens.directives.get(self.directive);
        let start = next.map_or(self.tokens.tokens.len(), |next| next.tokens.start);
        self.at = self.at.max(start);
    }

    fn arguments(&self, directive: &Directive) -> &'a [Token] {
        let tokens = self.tokens.tokens.get(directive.tokens.clone());
        tokens.unwrap_or_default()
    }

    fn note_tested(&mut self, directive: &Directive) {
        let mut tested = Vec::new();
        for token in self.arguments(directive) {
            let word = token.text(self.source);
            if token.kind == TokenKind::Identifier && word != b"defined" {
                tested.push((types::text(word), token.range().start as u32));
            }
        }
        self.found.tested.append(&mut tested);
    }

    fn define(&mut self, directive: &Directive) {
        let arguments = self.arguments(directive);
        let Some((name, rest)) = arguments.split_first() else {
            return;
        };
        let next = rest.first();
        let takes_arguments = next.is_some_and(|next| {
            next.is(self.source, "(") && next.range().start == name.range().end
        });
        let mut body = MacroBody {
            value: None,
            alias: None,
        };
        if !takes_arguments {
            body.value = constant(self.source, rest, &|word| self.state(word));
            if let [only] = rest
                && only.kind == TokenKind::Identifier
            {
                body.alias = Some(types::text(only.text(self.source)));
            }
        }
        let word = name.text(self.source);
        if let Some(value) = body.value {
            self.values.insert(word.into(), value);
        }
        self.found.declarations.push(Declaration {
            name: types::text(word),
            path: Box::default(),
            offset: name.range().start as u32,
            what: DeclarationKind::Macro(body),
        });
    }
}
