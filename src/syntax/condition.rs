//! Evaluates a preprocessing condition when the values of some macros are known and others are not.

use super::literal::integer;
use super::token::{Directive, DirectiveKind, Token, TokenKind};
use super::tokens::Tokens;

/// The three values of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Holds whatever the unknown macros are.
    True,
    /// Fails whatever the unknown macros are.
    False,
    /// Depends on an unknown macro, or is beyond this evaluator.
    Unknown,
}

impl Truth {
    fn of(value: Option<i64>) -> Self {
        match value {
            Some(0) => Self::False,
            Some(_) => Self::True,
            None => Self::Unknown,
        }
    }

    /// Holds where both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            _ => Self::Unknown,
        }
    }

    /// Holds where this fails.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// The known state of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Macro {
    /// Whether it is defined is not known.
    Unknown,
    /// The macro is not defined.
    Undefined,
    /// The macro is defined as a number.
    Value(i64),
}

impl From<Option<bool>> for Macro {
    /// Defined as 1, not defined, or unknown.
    fn from(known: Option<bool>) -> Self {
        match known {
            None => Self::Unknown,
            Some(false) => Self::Undefined,
            Some(true) => Self::Value(1),
        }
    }
}

impl Macro {
    /// Its value in a condition, where a macro that is not defined is 0.
    fn value(self) -> Option<i64> {
        match self {
            Self::Unknown => None,
            Self::Undefined => Some(0),
            Self::Value(value) => Some(value),
        }
    }

    /// The value of `defined`.
    fn defined(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Undefined => Some(false),
            Self::Value(_) => Some(true),
        }
    }
}

/// Parentheses and operators nested deeper than this make a condition unknown: no hand writes
/// that, and the evaluator must not exhaust the stack.
const MAX_DEPTH: usize = 200;

/// Evaluate the condition of an `#if`-like directive. `known` returns the known state of a macro.
pub fn evaluate(
    source: &[u8],
    tokens: &Tokens,
    directive: &Directive,
    known: &dyn Fn(&[u8]) -> Macro,
) -> Truth {
    let args = tokens
        .tokens
        .get(directive.tokens.clone())
        .unwrap_or_default();
    let first_defined = || {
        args.first()
            .and_then(|token| known(token.text(source)).defined())
            .map_or(
                Truth::Unknown,
                |on| if on { Truth::True } else { Truth::False },
            )
    };
    match directive.kind {
        DirectiveKind::Ifdef | DirectiveKind::Elifdef => first_defined(),
        DirectiveKind::Ifndef | DirectiveKind::Elifndef => first_defined().inverse(),
        DirectiveKind::Else => Truth::True,
        _ => {
            let mut parser = Parser {
                source,
                args,
                at: 0,
                depth: 0,
                known,
            };
            let value = parser.binary(0);
            if parser.at == args.len() {
                Truth::of(value)
            } else {
                Truth::Unknown
            }
        }
    }
}

/// The value of the constant expression that is these tokens. `known` returns the known state of a name: a macro or
/// an enumerator.
pub fn constant(source: &[u8], tokens: &[Token], known: &dyn Fn(&[u8]) -> Macro) -> Option<i64> {
    let mut parser = Parser {
        source,
        args: tokens,
        at: 0,
        depth: 0,
        known,
    };
    let value = parser.binary(0);
    value.filter(|_| parser.at == tokens.len())
}

struct Parser<'a> {
    source: &'a [u8],
    args: &'a [Token],
    at: usize,
    depth: usize,
    known: &'a dyn Fn(&[u8]) -> Macro,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a [u8] {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &'a [u8] {
        self.args
            .get(self.at + ahead)
            .map_or(b"", |token| token.text(self.source))
    }

    /// Precedence climbing over the operators that conditions use.
    fn binary(&mut self, min: u8) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.at = self.args.len() + 1;
            return None;
        }
        let mut left = self.unary();
        while let Some((operator, width, level)) = self.operator() {
            if level < min {
                break;
            }
            self.at += width;
            let right = self.binary(level + 1);
            left = apply(operator, left, right);
        }
        self.depth -= 1;
        left
    }

    /// The operator here, how many tokens it takes and how tightly it binds.
    fn operator(&self) -> Option<(&'a [u8], usize, u8)> {
        let text = self.peek();
        Some(match text {
            b"||" | b"or" => (b"||", 1, 1),
            b"&&" | b"and" => (b"&&", 1, 2),
            b"|" | b"^" | b"&" => (text, 1, 3),
            b"==" | b"!=" => (text, 1, 4),
            b">" if self.peek_at(1) == b">" => (b">>", 2, 6),
            b"<" | b">" | b"<=" | b">=" => (text, 1, 5),
            b"<<" => (text, 1, 6),
            b"+" | b"-" => (text, 1, 7),
            b"*" | b"/" | b"%" => (text, 1, 8),
            _ => return None,
        })
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.at = self.args.len() + 1;
            return None;
        }
        let value = self.primary();
        self.depth -= 1;
        value
    }

    fn primary(&mut self) -> Option<i64> {
        let text = self.peek();
        let kind = self.args.get(self.at)?.kind;
        self.at += 1;
        match (kind, text) {
            (TokenKind::Punct, b"!") => self.unary().map(|value| i64::from(value == 0)),
            (TokenKind::Punct, b"-") => self.unary().map(i64::wrapping_neg),
            (TokenKind::Punct, b"~") => self.unary().map(|value| !value),
            (TokenKind::Punct, b"(") => {
                let value = self.binary(0);
                self.at += usize::from(self.peek() == b")");
                value
            }
            (TokenKind::Identifier, b"not") => self.unary().map(|value| i64::from(value == 0)),
            (TokenKind::Identifier, b"defined") => self.defined(),
            (TokenKind::Identifier, name) => {
                if self.peek() == b"(" {
                    self.skip_arguments();
                    return None;
                }
                (self.known)(name).value()
            }
            (TokenKind::Placeholder, text) => (self.known)(text).value(),
            (TokenKind::Number, digits) => integer(digits).and_then(|value| value.try_into().ok()),
            _ => None,
        }
    }

    fn defined(&mut self) -> Option<i64> {
        let bracketed = self.peek() == b"(";
        self.at += usize::from(bracketed);
        let name = self.peek();
        self.at += 1 + usize::from(bracketed);
        (self.known)(name).defined().map(i64::from)
    }

    fn skip_arguments(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.args.len() {
            match self.peek() {
                b"(" => depth += 1,
                b")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

fn apply(operator: &[u8], left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match operator {
        b"&&" if left == Some(0) || right == Some(0) => return Some(0),
        b"||" if left.is_some_and(|v| v != 0) || right.is_some_and(|v| v != 0) => {
            return Some(1);
        }
        _ => {}
    }
    let (left, right) = (left?, right?);
    Some(match operator {
        b"&&" => i64::from(left != 0 && right != 0),
        b"||" => i64::from(left != 0 || right != 0),
        b"==" => i64::from(left == right),
        b"!=" => i64::from(left != right),
        b"<" => i64::from(left < right),
        b">" => i64::from(left > right),
        b"<=" => i64::from(left <= right),
        b">=" => i64::from(left >= right),
        b"|" => left | right,
        b"^" => left ^ right,
        b"&" => left & right,
        b"<<" => left.checked_shl(u32::try_from(right).ok()?)?,
        b">>" => left.checked_shr(u32::try_from(right).ok()?)?,
        b"+" => left.wrapping_add(right),
        b"-" => left.wrapping_sub(right),
        b"*" => left.wrapping_mul(right),
        b"/" => left.checked_div(right)?,
        b"%" => left.checked_rem(right)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LexOptions, lex};

    fn truth(condition: &str) -> Truth {
        let source = format!("{condition}\n");
        let tokens = lex(source.as_bytes(), LexOptions::default());
        evaluate(
            source.as_bytes(),
            &tokens,
            &tokens.directives[0],
            &|name| match name {
                b"ON" => Macro::Value(1),
                b"OFF" => Macro::Undefined,
                b"NUMBER" => Macro::Value(700),
                _ => Macro::Unknown,
            },
        )
    }

    #[test]
    fn known_macros_decide_and_unknown_ones_do_not() {
        assert_eq!(truth("#if defined(OFF) && X > 3"), Truth::False);
        assert_eq!(truth("#if !defined OFF || X"), Truth::True);
        assert_eq!(truth("#if defined(OFF) || defined(X)"), Truth::Unknown);
        assert_eq!(truth("#if ON == 1 && (OFF + 2 > 1)"), Truth::True);
        assert_eq!(truth("#if X(1, OFF) && ON"), Truth::Unknown);
        assert_eq!(truth("#if defined(NUMBER) and 700 <= NUMBER"), Truth::True);
        assert_eq!(truth("#if not (NUMBER > 700 or OFF)"), Truth::True);
        assert_eq!(truth("#ifndef ON"), Truth::False);
        assert_eq!(truth("#if 0x10 == 16 && 7'0 == 70"), Truth::True);
        assert_eq!(truth("#if 1 << 4 == 16 && 256 >> 4 == 16"), Truth::True);
        assert_eq!(truth("#if (NUMBER | 1) == 701 && ~0 == -1"), Truth::True);
    }

    #[test]
    fn a_condition_too_deep_to_follow_is_unknown() {
        let deep = format!("#if {}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(truth(&deep), Truth::Unknown);
    }
}
