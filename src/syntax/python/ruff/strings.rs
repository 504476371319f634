//! String literals, with the placeholders in them.

use ruff_python_ast::{
    Expr, FString, FStringPart, InterpolatedElement, InterpolatedStringElement,
    InterpolatedStringElements,
};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

/// One literal.
enum LiteralPart<'a> {
    Plain(usize, usize),
    Filled(&'a FString),
}

/// The marks in front of a literal, which say how its text is read.
#[derive(Clone, Copy)]
struct Prefix {
    raw: bool,
    bytes: bool,
    format: bool,
}

impl Reader<'_> {
    /// Add a literal, or several that Python joins.
    pub(super) fn string(&mut self, one: &Expr, field: Field) -> Lowering {
        let parts: Vec<LiteralPart<'_>> = match one {
            Expr::StringLiteral(one) => one
                .value
                .iter()
                .map(|part| LiteralPart::Plain(start_of(part), end_of(part)))
                .collect(),
            Expr::BytesLiteral(one) => one
                .value
                .iter()
                .map(|part| LiteralPart::Plain(start_of(part), end_of(part)))
                .collect(),
            Expr::FString(one) => one
                .value
                .iter()
                .map(|part| match part {
                    FStringPart::Literal(part) => LiteralPart::Plain(start_of(part), end_of(part)),
                    FStringPart::FString(part) => LiteralPart::Filled(part),
                })
                .collect(),
            _ => return Err(Unsupported),
        };
        let joined = parts.len() > 1;
        if joined {
            self.open(Kind::ConcatenatedString, field, start_of(one), end_of(one));
        }
        for part in &parts {
            let field = if joined { Field::Other } else { field };
            match part {
                LiteralPart::Plain(start, end) => {
                    let (head, tail, prefix) = self.quotes(*start, *end)?;
                    self.open(Kind::Str, field, *start, *end);
                    self.leaf(Kind::StringStart, Field::Other, *start, head);
                    self.content(head, tail, prefix);
                    self.leaf(Kind::StringEnd, Field::Other, tail, *end);
                    self.close();
                }
                LiteralPart::Filled(one) => {
                    let (start, end) = (start_of(*one), end_of(*one));
                    let (head, tail, prefix) = self.quotes(start, end)?;
                    self.open(Kind::Str, field, start, end);
                    self.leaf(Kind::StringStart, Field::Other, start, head);
                    let mut at = head;
                    for element in &one.elements {
                        if let InterpolatedStringElement::Interpolation(one) = element {
                            self.content(at, start_of(one), prefix);
                            self.interpolation(one, Kind::Interpolation)?;
                            at = end_of(one);
                        }
                    }
                    self.content(at, tail, prefix);
                    self.leaf(Kind::StringEnd, Field::Other, tail, end);
                    self.close();
                }
            }
        }
        if joined {
            self.close();
        }
        Ok(())
    }

    /// Where the text of a literal starts and ends, and how it is read.
    fn quotes(&self, start: usize, end: usize) -> Lowering<(usize, usize, Prefix)> {
        let mut prefix = Prefix {
            raw: false,
            bytes: false,
            format: false,
        };
        let mut at = start;
        loop {
            match self.byte(at) {
                b'r' | b'R' => prefix.raw = true,
                b'b' | b'B' => prefix.bytes = true,
                b'f' | b'F' => prefix.format = true,
                b'u' | b'U' => {}
                _ => break,
            }
            at += 1;
        }
        let quote = self.byte(at);
        if !matches!(quote, b'"' | b'\'') {
            return Err(Unsupported);
        }
        let triple = self.byte(at + 1) == quote && self.byte(at + 2) == quote && end >= at + 6;
        let length = if triple { 3 } else { 1 };
        Ok((at + length, end.saturating_sub(length), prefix))
    }

    /// Add a stretch of text with its escapes.
    fn content(&mut self, start: usize, end: usize, prefix: Prefix) {
        if start >= end {
            return;
        }
        self.open(Kind::StringContent, Field::Other, start, end);
        let mut at = start;
        while at < end {
            let rest = self.text.get(at..end).unwrap_or_default();
            let Some(next) = memchr::memchr3(b'\\', b'{', b'}', rest) else {
                break;
            };
            at += next;
            let rest = rest.get(next..).unwrap_or_default();
            match rest {
                [b'\\', ..] if prefix.raw => at += 1,
                [b'\\', ..] => match escape(rest, prefix.bytes) {
                    Some(length) => {
                        self.leaf(Kind::Escape, Field::Other, at, at + length);
                        at += length;
                    }
                    None => at += 2,
                },
                [b'{', b'{', ..] | [b'}', b'}', ..] if prefix.format => {
                    self.leaf(Kind::EscapeInterpolation, Field::Other, at, at + 2);
                    at += 2;
                }
                _ => at += 1,
            }
        }
        self.close();
    }

    fn interpolation(&mut self, one: &InterpolatedElement, kind: Kind) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        self.open(kind, Field::Other, start, end);
        self.expressions(&one.expression, Field::Expression, start + 1)?;
        let after = self.outer_end(start + 1, &*one.expression);
        let spec = one.format_spec.as_deref();
        let limit = spec.map_or(end - 1, |spec| start_of(spec).saturating_sub(1));
        let between = self.text.get(after..limit).unwrap_or_default();
        if let Some(mark) = between.iter().position(|&byte| byte == b'!') {
            let from = after + mark;
            let letters = between.get(mark + 1..).unwrap_or_default();
            let letter = letters.first().is_some_and(u8::is_ascii_alphabetic);
            if !letter {
                return Err(Unsupported);
            }
            self.leaf(Kind::Other, Field::Other, from, from + 2);
        }
        if let Some(spec) = spec {
            self.open(
                Kind::FormatSpecifier,
                Field::Other,
                start_of(spec) - 1,
                end_of(spec),
            );
            self.filled(&spec.elements)?;
            self.close();
        }
        self.close();
        Ok(())
    }

    fn filled(&mut self, elements: &InterpolatedStringElements) -> Lowering {
        for element in elements {
            if let InterpolatedStringElement::Interpolation(one) = element {
                // The grammar calls it a format expression.
                self.interpolation(one, Kind::Other)?;
            }
        }
        Ok(())
    }
}

/// The length in bytes of the escape that a text starts with, as the grammar knows them.
fn escape(text: &[u8], bytes: bool) -> Option<usize> {
    let digits = |from: usize, count: usize| {
        let part = text.get(from..from + count)?;
        part.iter()
            .all(u8::is_ascii_hexdigit)
            .then_some(from + count)
    };
    match text.get(1)? {
        b'u' if !bytes => digits(2, 4),
        b'U' if !bytes => digits(2, 8),
        b'N' if !bytes => {
            let inside = text.get(2..)?.strip_prefix(b"{")?;
            let close = inside.iter().position(|&byte| byte == b'}')?;
            (close > 0).then_some(close + 4)
        }
        b'x' => digits(2, 2),
        b'0'..=b'9' => {
            let rest = text.get(1..)?;
            let count = rest
                .iter()
                .take(3)
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            Some(1 + count)
        }
        b'\r' => (text.get(2) == Some(&b'\n')).then_some(3),
        b'\n' | b'\'' | b'"' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' => Some(2),
        _ => None,
    }
}
