//! Operands of instructions, addresses and constant expressions.

use super::number::constant;
use super::parser::Parser;
use super::scanner::Word;
use super::{Address, Operand, Unreadable};

impl Parser<'_, '_> {
    pub(super) fn operand(&mut self, depth: usize) -> Result<Operand, Unreadable> {
        let first = self.first(depth)?;
        // `%0.x`
        let first = match self.peek() {
            Some(Word::Name(part)) if part.starts_with('.') && self.is_joined() => {
                let part = part.trim_start_matches('.').to_owned();
                self.at += 1;
                Operand::Part(Box::new(first), part)
            }
            _ => first,
        };
        if self.takes('|') {
            let second = self.operand(depth + 1)?;
            return Ok(Operand::Pair(Box::new(first), Box::new(second)));
        }
        // `buffer+4`
        if matches!(first, Operand::Name(_) | Operand::Special(_))
            && matches!(self.peek(), Some(Word::Mark('+' | '-')))
        {
            let offset = self.added()?;
            return Ok(Operand::Offset(Box::new(first), offset));
        }
        Ok(first)
    }

    /// An operand without what may stand behind it.
    fn first(&mut self, depth: usize) -> Result<Operand, Unreadable> {
        if depth > self.nesting {
            return Err(self.fault("operands are nested too deeply"));
        }
        if let Some(value) = self.integer()? {
            return Ok(Operand::Integer(value));
        }
        if let Some(&Word::Mark(mark)) = self.peek() {
            return self.behind_mark(mark, depth);
        }
        let found = match self.peek() {
            Some(Word::Number(text)) => match constant(text) {
                Some(found) => found,
                None => return Err(self.fault("a constant that can't be read")),
            },
            Some(Word::Placeholder(index)) => Operand::Placeholder(*index),
            Some(Word::Named(name)) => match (self.operand)(name) {
                Some(index) => Operand::Placeholder(index),
                None => return Err(self.fault("an operand of this name is not there")),
            },
            Some(Word::Register(name)) => Operand::Special((*name).to_owned()),
            Some(Word::Name("_")) => Operand::Sink,
            // It has no `%` before it.
            Some(Word::Name("WARP_SZ")) => Operand::Special("WARP_SZ".to_owned()),
            Some(Word::Name(name)) if !name.starts_with('.') => match name.split_once('.') {
                Some((register, part)) => {
                    let register = Operand::Name(register.to_owned());
                    Operand::Part(Box::new(register), part.to_owned())
                }
                None => Operand::Name((*name).to_owned()),
            },
            _ => return Err(self.fault("an operand is missing")),
        };
        self.at += 1;
        Ok(found)
    }

    /// An operand that begins with a mark.
    fn behind_mark(&mut self, mark: char, depth: usize) -> Result<Operand, Unreadable> {
        if !matches!(mark, '!' | '-' | '(' | '{' | '[') {
            return Err(self.fault("an operand is missing"));
        }
        self.at += 1;
        if mark == '[' {
            return self.address(depth);
        }
        let inside = self.operand(depth + 1)?;
        Ok(match (mark, inside) {
            ('!', inside) => Operand::Not(Box::new(inside)),
            ('-', Operand::Double(bits)) => Operand::Double((-f64::from_bits(bits)).to_bits()),
            ('-', Operand::Single(bits)) => Operand::Single(bits ^ 0x8000_0000),
            ('-', inside) => Operand::Negative(Box::new(inside)),
            ('(', inside) => {
                self.needs(')')?;
                inside
            }
            (_, first) => {
                let mut elements = vec![first];
                while self.takes(',') {
                    elements.push(self.operand(depth + 1)?);
                }
                self.needs('}')?;
                Operand::Vector(elements)
            }
        })
    }

    /// `a+4]`, with its `[` read.
    fn address(&mut self, depth: usize) -> Result<Operand, Unreadable> {
        let (base, mut offset) = match self.operand(depth + 1)? {
            Operand::Offset(base, offset) => (base, offset),
            base => (Box::new(base), 0),
        };
        if matches!(self.peek(), Some(Word::Mark('+' | '-'))) {
            offset = offset.wrapping_add(self.added()?);
        }
        let mut coordinates = Vec::new();
        while self.takes(',') {
            coordinates.push(self.operand(depth + 1)?);
        }
        self.needs(']')?;
        Ok(Operand::Address(Address {
            base,
            offset,
            coordinates,
        }))
    }

    /// `+4-8`: what is added to a name.
    fn added(&mut self) -> Result<i64, Unreadable> {
        let mut offset: i64 = 0;
        loop {
            let sign: i64 = match self.peek() {
                Some(Word::Mark('+')) => 1,
                Some(Word::Mark('-')) => -1,
                _ => return Ok(offset),
            };
            self.at += 1;
            let negative = self.takes('-');
            let value = match self.peek() {
                Some(Word::Placeholder(index)) => {
                    let text = (self.constant_of)(*index);
                    self.at += 1;
                    text.and_then(|text| text.parse().ok())
                }
                _ => self.product()?.and_then(|value| i64::try_from(value).ok()),
            };
            let Some(value) = value else {
                return Err(self.fault("the offset of an address is no constant"));
            };
            let value = if negative { -value } else { value };
            offset = offset.wrapping_add(sign.wrapping_mul(value));
        }
    }
}
