//! From the text of a template to its items.

use super::number::constant;
use super::scanner::{Word, scan};
use super::{Address, Declaration, Instruction, Item, Operand, Predicate, Unreadable};

/// How deep scopes and brackets may be nested; deeper text is not read.
const DEPTH: usize = 32;

/// Read a template. `operand` gives the index of the operand that has a name; `constant_of` the text that stands for
/// the operand of an index inside an opcode, where the operand is a constant.
///
/// # Errors
/// Where and why the template can't be read.
pub fn parse(
    text: &str,
    operand: &dyn Fn(&str) -> Option<usize>,
    constant_of: &dyn Fn(usize) -> Option<String>,
) -> Result<Vec<Item>, Unreadable> {
    let words = scan(text)?;
    let mut parser = Parser {
        words: &words,
        at: 0,
        end: text.len(),
        operand,
        constant_of,
    };
    let items = parser.items(0)?;
    match parser.peek() {
        None => Ok(items),
        Some(_) => Err(parser.fault("a `}` that closes nothing")),
    }
}

struct Parser<'a, 't> {
    words: &'a [(usize, Word<'t>)],
    at: usize,
    end: usize,
    operand: &'a dyn Fn(&str) -> Option<usize>,
    constant_of: &'a dyn Fn(usize) -> Option<String>,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Option<&Word<'t>> {
        self.words.get(self.at).map(|(_, word)| word)
    }

    fn offset(&self) -> usize {
        self.words
            .get(self.at)
            .map_or(self.end, |(offset, _)| *offset)
    }

    /// Whether the word at hand follows the one before it without white space.
    fn is_joined(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.words.get(at));
        before.is_some_and(|(offset, word)| {
            let length = match word {
                Word::Name(text) | Word::Number(text) => text.len(),
                Word::Placeholder(index) => 1 + index.to_string().len(),
                _ => return false,
            };
            offset + length == self.offset()
        })
    }

    fn fault(&self, reason: &str) -> Unreadable {
        Unreadable {
            offset: self.offset(),
            reason: reason.to_owned(),
        }
    }

    fn takes(&mut self, mark: char) -> bool {
        let is_it = self.peek() == Some(&Word::Mark(mark));
        self.at += usize::from(is_it);
        is_it
    }

    fn needs(&mut self, mark: char) -> Result<(), Unreadable> {
        if self.takes(mark) {
            Ok(())
        } else {
            Err(self.fault(&format!("`{mark}` is missing")))
        }
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Item>, Unreadable> {
        if depth > DEPTH {
            return Err(self.fault("scopes are nested too deeply"));
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None | Some(Word::Mark('}')) => return Ok(items),
                Some(Word::Mark(';')) => self.at += 1,
                Some(Word::Mark('{')) => {
                    self.at += 1;
                    let inside = self.items(depth + 1)?;
                    self.needs('}')?;
                    items.push(Item::Scope(inside));
                }
                Some(_) => items.push(self.item()?),
            }
        }
    }

    fn item(&mut self) -> Result<Item, Unreadable> {
        if let Some(Word::Name(name)) = self.peek() {
            let name = *name;
            let is_label = matches!(self.words.get(self.at + 1), Some((_, Word::Mark(':'))));
            if is_label {
                self.at += 2;
                return Ok(Item::Label(name.to_owned()));
            }
            if name.starts_with('.') {
                return self.declaration().map(Item::Declaration);
            }
        }
        self.instruction().map(Item::Instruction)
    }

    /// `.reg .v2 .u32 a, b<4>, c;`
    fn declaration(&mut self) -> Result<Declaration, Unreadable> {
        let mut parts: Vec<&str> = Vec::new();
        let mut align = None;
        while let Some(&Word::Name(name)) = self.peek()
            && name.starts_with('.')
        {
            self.at += 1;
            parts.extend(name.split('.').filter(|part| !part.is_empty()));
            if parts.last() == Some(&"align") {
                parts.pop();
                let Some(Operand::Integer(value)) = self.number() else {
                    return Err(self.fault("an alignment without its number"));
                };
                align = u32::try_from(value).ok();
            }
        }
        let mut parts = parts.into_iter();
        let space = parts.next().unwrap_or_default();
        if !["reg", "shared", "local", "const", "global"].contains(&space) {
            return Err(self.fault(&format!(
                "`.{space}` is no declaration that a statement may hold"
            )));
        }
        let mut kind = parts.next().unwrap_or_default();
        let vector = match kind {
            "v2" => 2,
            "v4" => 4,
            _ => 1,
        };
        if vector > 1 {
            kind = parts.next().unwrap_or_default();
        }
        let mut names = Vec::new();
        loop {
            let name = match self.peek() {
                Some(Word::Name(name) | Word::Register(name)) => (*name).to_owned(),
                _ => return Err(self.fault("a declaration without a name")),
            };
            self.at += 1;
            if self.takes('<') {
                let Some(Operand::Integer(count)) = self.number() else {
                    return Err(self.fault("a number of registers is missing"));
                };
                self.needs('>')?;
                if !(0..=1024).contains(&count) {
                    return Err(self.fault("too many registers"));
                }
                names.extend((0..count).map(|index| (format!("{name}{index}"), None)));
            } else if self.takes('[') {
                let Some(Operand::Integer(count)) = self.number() else {
                    return Err(self.fault("the size of an array is missing"));
                };
                self.needs(']')?;
                names.push((name, u64::try_from(count).ok()));
            } else {
                names.push((name, None));
            }
            if !self.takes(',') {
                break;
            }
        }
        self.needs(';')?;
        Ok(Declaration {
            space: space.to_owned(),
            kind: kind.to_owned(),
            vector,
            align,
            names,
        })
    }

    fn number(&mut self) -> Option<Operand> {
        let Some(Word::Number(text)) = self.peek() else {
            return None;
        };
        let found = constant(text);
        self.at += 1;
        found
    }

    fn instruction(&mut self) -> Result<Instruction, Unreadable> {
        let predicate = if self.takes('@') {
            let negated = self.takes('!');
            let operand = self.operand(0)?;
            Some(Predicate { negated, operand })
        } else {
            None
        };
        let mut opcode = match self.peek() {
            Some(Word::Name(name)) => (*name).to_owned(),
            _ => return Err(self.fault("the name of an instruction is missing")),
        };
        self.at += 1;
        // `mma.m16n8k%3.row`: a constant inside the name.
        while self.is_joined() {
            match self.peek() {
                Some(Word::Placeholder(index)) => {
                    let Some(text) = (self.constant_of)(*index) else {
                        return Err(
                            self.fault(&format!("the instruction depends on operand {index}"))
                        );
                    };
                    opcode.push_str(&text);
                }
                Some(Word::Name(name)) => opcode.push_str(name),
                _ => break,
            }
            self.at += 1;
        }
        // White space may stand before a modifier.
        while let Some(Word::Name(name)) = self.peek()
            && name.starts_with('.')
        {
            opcode.push_str(name);
            self.at += 1;
        }
        let mut operands = Vec::new();
        if !matches!(self.peek(), Some(Word::Mark(';' | '}')) | None) {
            loop {
                operands.push(self.operand(0)?);
                if !self.takes(',') {
                    break;
                }
            }
        }
        // The last instruction of a template needs no `;`, and neither does one before `}`.
        if !matches!(self.peek(), None | Some(Word::Mark('}'))) {
            self.needs(';')?;
        }
        Ok(Instruction {
            predicate,
            opcode,
            operands,
        })
    }

    fn operand(&mut self, depth: usize) -> Result<Operand, Unreadable> {
        if depth > DEPTH {
            return Err(self.fault("operands are nested too deeply"));
        }
        let first = match self.peek() {
            Some(Word::Mark('!')) => {
                self.at += 1;
                return Ok(Operand::Not(Box::new(self.operand(depth + 1)?)));
            }
            Some(Word::Mark('-')) => {
                self.at += 1;
                return Ok(match self.operand(depth + 1)? {
                    Operand::Integer(value) => Operand::Integer(-value),
                    Operand::Double(bits) => Operand::Double((-f64::from_bits(bits)).to_bits()),
                    other => Operand::Negative(Box::new(other)),
                });
            }
            Some(Word::Mark('{')) => {
                self.at += 1;
                let mut elements = Vec::new();
                loop {
                    elements.push(self.operand(depth + 1)?);
                    if !self.takes(',') {
                        break;
                    }
                }
                self.needs('}')?;
                Operand::Vector(elements)
            }
            Some(Word::Mark('[')) => {
                self.at += 1;
                self.address(depth)?
            }
            Some(Word::Number(text)) => {
                let Some(found) = constant(text) else {
                    return Err(self.fault("a constant that can't be read"));
                };
                self.at += 1;
                found
            }
            Some(Word::Placeholder(index)) => {
                let found = Operand::Placeholder(*index);
                self.at += 1;
                found
            }
            Some(Word::Named(name)) => {
                let Some(index) = (self.operand)(name) else {
                    return Err(self.fault("an operand of this name is not there"));
                };
                self.at += 1;
                Operand::Placeholder(index)
            }
            Some(Word::Register(name)) => {
                let found = Operand::Special((*name).to_owned());
                self.at += 1;
                found
            }
            Some(Word::Name("_")) => {
                self.at += 1;
                Operand::Sink
            }
            Some(Word::Name(name)) if !name.starts_with('.') => {
                let name = *name;
                self.at += 1;
                match name.split_once('.') {
                    Some((register, part)) => Operand::Part(
                        Box::new(Operand::Name(register.to_owned())),
                        part.to_owned(),
                    ),
                    None => Operand::Name(name.to_owned()),
                }
            }
            _ => return Err(self.fault("an operand is missing")),
        };
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
        Ok(first)
    }

    /// `a+4]`, with its `[` read.
    fn address(&mut self, depth: usize) -> Result<Operand, Unreadable> {
        let base = self.operand(depth + 1)?;
        let mut offset: i64 = 0;
        loop {
            let sign: i64 = match self.peek() {
                Some(Word::Mark('+')) => 1,
                Some(Word::Mark('-')) => -1,
                _ => break,
            };
            self.at += 1;
            let negative = self.takes('-');
            let value = match self.peek() {
                Some(Word::Placeholder(index)) => {
                    let text = (self.constant_of)(*index);
                    self.at += 1;
                    text.and_then(|text| match constant(&text) {
                        Some(Operand::Integer(value)) => i64::try_from(value).ok(),
                        _ => None,
                    })
                }
                _ => match self.number() {
                    Some(Operand::Integer(value)) => i64::try_from(value).ok(),
                    _ => None,
                },
            };
            let Some(value) = value else {
                return Err(self.fault("the offset of an address is no constant"));
            };
            let value = if negative { -value } else { value };
            offset = offset.wrapping_add(sign * value);
        }
        let mut coordinates = Vec::new();
        while self.takes(',') {
            coordinates.push(self.operand(depth + 1)?);
        }
        self.needs(']')?;
        Ok(Operand::Address(Address {
            base: Box::new(base),
            offset,
            coordinates,
        }))
    }
}
