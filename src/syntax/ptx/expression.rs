//! Constant expressions of integers: `(1 << 3) | 2`. "PTX ISA", section "Constant Expressions".

use super::number::constant;
use super::parser::Parser;
use super::scanner::Word;
use super::{Operand, Unreadable};

/// The operators between two operands, by how loosely they bind. Those of several characters stand first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The level of products.
const PRODUCTS: usize = 9;

/// A constant of PTX has 64 bits: one of the sign that it was written with.
#[derive(Clone, Copy)]
struct Constant {
    bits: u64,
    is_signed: bool,
}

impl Constant {
    fn signed(value: i64) -> Self {
        Self {
            bits: value.cast_unsigned(),
            is_signed: true,
        }
    }

    fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }

    fn value(self) -> i128 {
        if self.is_signed {
            i128::from(self.bits.cast_signed())
        } else {
            i128::from(self.bits)
        }
    }
}

impl Parser<'_, '_> {
    /// The constant expression at hand; `None`, with nothing read, where there is none.
    pub(super) fn integer(&mut self) -> Result<Option<i128>, Unreadable> {
        self.constant_at(0)
    }

    /// A constant without the sums and comparisons behind it.
    pub(super) fn product(&mut self) -> Result<Option<i128>, Unreadable> {
        self.constant_at(PRODUCTS)
    }

    fn constant_at(&mut self, level: usize) -> Result<Option<i128>, Unreadable> {
        let before = self.at;
        let found = self.expression(level, 0);
        if !matches!(found, Ok(Some(_))) {
            self.at = before;
        }
        Ok(found?.map(Constant::value))
    }

    fn expression(&mut self, level: usize, depth: usize) -> Result<Option<Constant>, Unreadable> {
        if depth > self.nesting {
            return Err(self.fault("a constant is nested too deeply"));
        }
        let Some(operators) = LEVELS.get(level) else {
            return self.single(depth);
        };
        let Some(mut left) = self.expression(level + 1, depth)? else {
            return Ok(None);
        };
        while let Some(operator) = operators.iter().find(|one| self.is_operator(one)) {
            self.at += operator.len();
            let Some(right) = self.expression(level + 1, depth)? else {
                return Ok(None);
            };
            let Some(value) = combine(operator, left, right) else {
                return Err(self.fault("a constant that has no value"));
            };
            left = value;
        }
        if level == 0 && self.takes('?') {
            let yes = self.expression(0, depth + 1)?;
            self.needs(':')?;
            let no = self.expression(0, depth + 1)?;
            return Ok(if left.bits != 0 { yes } else { no });
        }
        Ok(Some(left))
    }

    /// Whether an operator stands here, and none that begins as it does.
    fn is_operator(&self, operator: &str) -> bool {
        let mark = |at: usize| match self.words.get(self.at + at) {
            Some((_, Word::Mark(mark))) => Some(*mark),
            _ => None,
        };
        let is_here = operator
            .chars()
            .enumerate()
            .all(|(at, one)| mark(at) == Some(one));
        let longer = match operator {
            "|" | "&" | "<" | ">" => mark(1) == operator.chars().next(),
            _ => false,
        };
        is_here && !longer
    }

    fn single(&mut self, depth: usize) -> Result<Option<Constant>, Unreadable> {
        match self.peek() {
            Some(Word::Number(text)) => {
                let text = *text;
                let Some(Operand::Integer(value)) = constant(text) else {
                    return Ok(None);
                };
                let Ok(bits) = u64::try_from(value) else {
                    return Ok(None);
                };
                self.at += 1;
                // One that does not fit into a signed type is unsigned, and so is one with a `U`.
                let is_signed = !text.ends_with(['u', 'U']) && bits <= i64::MAX.cast_unsigned();
                Ok(Some(Constant { bits, is_signed }))
            }
            Some(Word::Mark('(')) => {
                self.at += 1;
                // `(.s64) 5`
                if let Some(Word::Name(kind @ (".s64" | ".u64"))) = self.peek() {
                    let is_signed = *kind == ".s64";
                    self.at += 1;
                    self.needs(')')?;
                    let value = self.single(depth + 1)?;
                    return Ok(value.map(|value| Constant { is_signed, ..value }));
                }
                let value = self.expression(0, depth + 1)?;
                Ok(value.filter(|_| self.takes(')')))
            }
            Some(Word::Mark(sign @ ('-' | '+' | '~' | '!'))) => {
                let sign = *sign;
                self.at += 1;
                if depth > self.nesting {
                    return Err(self.fault("a constant is nested too deeply"));
                }
                Ok(self.single(depth + 1)?.map(|value| match sign {
                    '-' => Constant::signed(value.bits.cast_signed().wrapping_neg()),
                    '~' => Constant {
                        bits: !value.bits,
                        ..value
                    },
                    '!' => Constant::truth(value.bits == 0),
                    _ => value,
                }))
            }
            _ => Ok(None),
        }
    }
}

fn combine(operator: &str, a: Constant, b: Constant) -> Option<Constant> {
    let is_signed = a.is_signed && b.is_signed;
    let number = |bits: u64| Constant { bits, is_signed };
    let (x, y) = if is_signed {
        (a.value(), b.value())
    } else {
        (i128::from(a.bits), i128::from(b.bits))
    };
    // The lower 64 bits of a result.
    let cut = |value: i128| u64::try_from(value & i128::from(u64::MAX)).unwrap_or(0);
    let amount = u32::try_from(b.bits).ok().filter(|amount| *amount < 64);
    Some(match operator {
        "||" => Constant::truth(a.bits != 0 || b.bits != 0),
        "&&" => Constant::truth(a.bits != 0 && b.bits != 0),
        "|" => number(a.bits | b.bits),
        "^" => number(a.bits ^ b.bits),
        "&" => number(a.bits & b.bits),
        "==" => Constant::truth(a.bits == b.bits),
        "!=" => Constant::truth(a.bits != b.bits),
        "<=" => Constant::truth(x <= y),
        ">=" => Constant::truth(x >= y),
        "<" => Constant::truth(x < y),
        ">" => Constant::truth(x > y),
        "<<" => Constant {
            bits: a.bits << amount?,
            ..a
        },
        ">>" => Constant {
            bits: cut(a.value() >> amount?),
            ..a
        },
        "+" => number(a.bits.wrapping_add(b.bits)),
        "-" => number(a.bits.wrapping_sub(b.bits)),
        "*" => number(a.bits.wrapping_mul(b.bits)),
        "/" => number(cut(x.checked_div(y)?)),
        _ => number(cut(x.checked_rem(y)?)),
    })
}
