//! Whether a branch does the work, or only gives up.

use std::ops::Range;

use crate::{Context, Parsed};
use torchada_mapping::GuardWords;
use torchada_syntax::ptx::is_asm_keyword;
use torchada_syntax::{Conditional, Directive, DirectiveKind, Token, TokenKind, Tokens};

use super::decider::Decider;

impl Decider<'_> {
    /// Whether a branch of a conditional is a way to do the work that MUSA can take.
    pub(super) fn has_working_implementation(
        &self,
        conditional: &Conditional,
        branch: usize,
    ) -> bool {
        let Some(branch) = conditional.branches.get(branch) else {
            return false;
        };
        let conditionals = &self.parsed.conditionals;
        let ends_at_error = conditionals.ends_at_error(self.source, &self.parsed.tokens, branch);
        let (direct, behind) = self.blocking_in(&[branch.body]);
        let work = WorkDetector::of(self.source, self.parsed, self.context);
        // Where another branch returns a constant, too, that is the work.
        let chooses = |tokens: &Range<usize>| work.returns_constant(tokens.clone());
        let mut others = conditional.branches.iter().filter(|one| *one != branch);
        let constants = chooses(&branch.tokens) && others.any(|one| chooses(&one.tokens));
        !ends_at_error
            && direct.is_empty()
            && behind.is_empty()
            && (constants || work.is_in(branch.tokens.clone()))
    }
}

/// Whether a directive defines a macro as 0: `#define HAS_MMA 0` opens nothing.
pub(super) fn defines_no(source: &[u8], tokens: &Tokens, define: &Directive) -> bool {
    let text = |at: usize| tokens.get(at).map(|token| token.text(source));
    define.tokens.len() == 2 && text(define.tokens.start + 1) == Some(b"0")
}

/// Tells work from giving up.
pub(super) struct WorkDetector<'a> {
    source: &'a [u8],
    parsed: &'a Parsed,
    words: &'a GuardWords,
}

impl<'a> WorkDetector<'a> {
    /// A detector for one file.
    pub(super) fn of(source: &'a [u8], parsed: &'a Parsed, context: Context<'a>) -> Self {
        Self {
            source,
            parsed,
            words: &context.knowledge.shapes.guards,
        }
    }

    /// Whether code does anything but give up, return a constant or set one.
    pub(super) fn is_in(&self, tokens: impl IntoIterator<Item = usize>) -> bool {
        let mut statement: Vec<(usize, Token)> = Vec::new();
        let mut first = true;
        for index in tokens {
            let Some(token) = self.parsed.tokens.get(index) else {
                continue;
            };
            let tokens = &self.parsed.tokens;
            if let Some(directive) = tokens.directive_of(index) {
                match directive.kind {
                    DirectiveKind::Define if defines_no(self.source, tokens, directive) => continue,
                    DirectiveKind::Define => return true,
                    // `#pragma message("not for this GPU")`
                    DirectiveKind::Pragma => continue,
                    _ => {}
                }
            }
            let text = token.text(self.source);
            match text {
                // The head of a block, or of a value in braces.
                b"{" => {
                    let returns = statement
                        .first()
                        .is_some_and(|(_, token)| token.text(self.source) == b"return");
                    let loops = statement.first().is_some_and(|(_, token)| {
                        matches!(token.text(self.source), b"for" | b"while")
                    });
                    if loops {
                        return true;
                    }
                    if !returns {
                        statement.clear();
                    }
                }
                b";" | b"}" => {
                    if !statement.is_empty() {
                        if self.gives_up(&statement) {
                            if first {
                                return false;
                            }
                        } else if self.is_work(&statement) {
                            return true;
                        }
                        first = false;
                    }
                    statement.clear();
                }
                _ => statement.push((index, token)),
            }
        }
        // A branch may end inside a statement or an expression.
        !statement.is_empty() && !self.gives_up(&statement) && self.is_work(&statement)
    }

    /// Whether code has a call that only gives up.
    pub(super) fn gives_up_in(&self, mut tokens: Range<usize>) -> bool {
        tokens.any(|at| {
            let token = self
                .parsed
                .tokens
                .get(at)
                .filter(|token| !token.in_directive);
            token.is_some_and(|token| self.gives_up(&[(at, token)]))
                && self.parsed.tokens.is(at + 1, self.source, "(")
        })
    }

    /// Whether the last statement returns a constant.
    fn returns_constant(&self, tokens: Range<usize>) -> bool {
        let mut back = tokens.rev().filter_map(|at| self.parsed.tokens.get(at));
        let end = back.next().map(|token| token.text(self.source));
        let constant = back
            .next()
            .is_some_and(|token| token.kind == TokenKind::Number);
        end == Some(b";")
            && constant
            && back
                .next()
                .is_some_and(|token| token.text(self.source) == b"return")
    }

    fn text_of(&self, (_, token): &(usize, Token)) -> &'a [u8] {
        token.text(self.source)
    }

    /// `__trap()`, `arch::device_breakpoint()`, `result.clear()`
    fn gives_up(&self, statement: &[(usize, Token)]) -> bool {
        let open = statement
            .iter()
            .position(|one| self.text_of(one) == b"(")
            .unwrap_or(statement.len());
        let called = statement
            .iter()
            .take(open)
            .rfind(|(_, token)| token.kind == TokenKind::Identifier);
        // `DEVICE_ERROR("not for this GPU")`
        let says = || {
            let literal = statement.get(open + 1);
            open > 0
                && literal.is_some_and(|(_, token)| token.kind == TokenKind::String)
                && statement
                    .iter()
                    .take(open)
                    .all(|one| self.text_of(one) == b"::" || one.1.kind == TokenKind::Identifier)
        };
        called.is_some_and(|one| {
            let name = self.text_of(one);
            self.words.is_giving_up(name) || !is_asm_keyword(name) && name != b"volatile" && says()
        })
    }

    /// Whether a statement computes something: neither a declaration alone, nor a constant that
    /// is set or returned.
    fn is_work(&self, statement: &[(usize, Token)]) -> bool {
        let text = |at: usize| statement.get(at).map_or(&b""[..], |one| self.text_of(one));
        // `(void)x`
        if text(0) == b"(" && text(1) == b"void" {
            return false;
        }
        let from = |at: usize| statement.get(at..).unwrap_or_default();
        if text(0) == b"return" {
            return !self.is_constant(from(1)) && !self.makes_empty(from(1));
        }
        if let Some(at) = statement.iter().position(|one| self.text_of(one) == b"=") {
            // `d[i] *= 2`
            let compound = at.checked_sub(1).is_some_and(|before| {
                let own = [&b"]"[..], b")", b">"];
                let one = statement.get(before);
                one.is_some_and(|one| one.1.kind == TokenKind::Punct)
                    && !own.contains(&text(before))
            });
            return compound || !self.is_constant(from(at + 1));
        }
        // `uint32_t value` only declares.
        let computes = |one: &(usize, Token)| {
            let of_types = [&b"*"[..], b"&", b"::", b",", b"<", b">", b"[", b"]"];
            one.1.kind == TokenKind::Punct && !of_types.contains(&self.text_of(one))
        };
        !self.is_constant(statement) && (statement.len() == 1 || statement.iter().any(computes))
    }

    /// Whether an expression names nothing but constants of the language.
    fn is_constant(&self, expression: &[(usize, Token)]) -> bool {
        expression.iter().all(|one| {
            one.1.kind != TokenKind::Identifier
                || matches!(self.text_of(one), b"false" | b"nullptr" | b"true")
        })
    }

    /// `Type{}`, `Type()`, `Type(0)`
    fn makes_empty(&self, expression: &[(usize, Token)]) -> bool {
        let Some(((index, first), rest)) = expression.split_first() else {
            return false;
        };
        let named = first.kind == TokenKind::Identifier;
        let braced = rest.is_empty() && self.parsed.tokens.is(index + 1, self.source, "{");
        let called = !rest.is_empty()
            && self.is_constant(rest)
            && rest.iter().all(|one| {
                one.1.kind != TokenKind::Punct || matches!(self.text_of(one), b"(" | b")" | b"-")
            });
        named && (braced || called)
    }
}
