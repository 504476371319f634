//! From the text of a template to its items.

use super::scanner::{Word, scan};
use super::{Instruction, Item, Operand, Predicate, Unreadable};

/// Read a template whose scopes and brackets are nested at most `nesting` deep. `operand` gives the index of the operand
/// that has a name; `constant_of` the text that stands for the operand of an index inside an opcode, where the operand is
/// a constant.
///
/// # Errors
/// Where and why the template can't be read.
pub fn parse(
    text: &str,
    nesting: usize,
    operand: &dyn Fn(&str) -> Option<usize>,
    constant_of: &dyn Fn(usize) -> Option<String>,
) -> Result<Vec<Item>, Unreadable> {
    let words = scan(text)?;
    let mut parser = Parser {
        words: &words,
        at: 0,
        end: text.len(),
        nesting,
        operand,
        constant_of,
    };
    let items = parser.items(0)?;
    match parser.peek() {
        None => Ok(items),
        Some(_) => Err(parser.fault("a `}` that closes nothing")),
    }
}

/// The value of a constant expression of integers whose brackets are nested at most `nesting` deep.
pub fn constant(text: &str, nesting: usize) -> Option<i128> {
    let words = scan(text).ok()?;
    let mut parser = Parser {
        words: &words,
        at: 0,
        end: text.len(),
        nesting,
        operand: &|_| None,
        constant_of: &|_| None,
    };
    let value = parser.integer().ok()??;
    parser.peek().is_none().then_some(value)
}

pub(super) struct Parser<'a, 't> {
    pub(super) words: &'a [(usize, Word<'t>)],
    pub(super) at: usize,
    end: usize,
    pub(super) nesting: usize,
    pub(super) operand: &'a dyn Fn(&str) -> Option<usize>,
    pub(super) constant_of: &'a dyn Fn(usize) -> Option<String>,
}

impl<'t> Parser<'_, 't> {
    pub(super) fn peek(&self) -> Option<&Word<'t>> {
        self.words.get(self.at).map(|(_, word)| word)
    }

    fn offset(&self) -> usize {
        self.words
            .get(self.at)
            .map_or(self.end, |(offset, _)| *offset)
    }

    /// Whether the word at hand follows the one before it without white space.
    pub(super) fn is_joined(&self) -> bool {
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

    pub(super) fn fault(&self, reason: &str) -> Unreadable {
        Unreadable {
            offset: self.offset(),
            reason: reason.to_owned(),
            opcode: None,
        }
    }

    pub(super) fn takes(&mut self, mark: char) -> bool {
        let is_it = self.peek() == Some(&Word::Mark(mark));
        self.at += usize::from(is_it);
        is_it
    }

    pub(super) fn needs(&mut self, mark: char) -> Result<(), Unreadable> {
        if self.takes(mark) {
            Ok(())
        } else {
            Err(self.fault(&format!("`{mark}` is missing")))
        }
    }

    fn takes_name(&mut self, name: &str) -> bool {
        let is_it = self.peek() == Some(&Word::Name(name));
        self.at += usize::from(is_it);
        is_it
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Item>, Unreadable> {
        if depth > self.nesting {
            return Err(self.fault("scopes are nested too deeply"));
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None | Some(Word::Mark('}')) => return Ok(items),
                Some(Word::Mark(';')) => self.at += 1,
                Some(Word::Name(".pragma" | ".loc" | ".file")) => self.remark()?,
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
                return if self.takes_name(".branchtargets") {
                    Ok(Item::Targets(name.to_owned(), self.labels()?))
                } else {
                    Ok(Item::Label(name.to_owned()))
                };
            }
            if name.starts_with('.') {
                return self.declaration().map(Item::Declaration);
            }
        }
        self.instruction().map(Item::Instruction)
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
        let mut unknown = None;
        while self.is_joined() {
            match self.peek() {
                Some(Word::Placeholder(index)) => {
                    if let Some(text) = (self.constant_of)(*index) {
                        opcode.push_str(&text);
                    } else {
                        opcode.extend(["%", &index.to_string()]);
                        let reason =
                            format!("nothing in sight says what operand {index} makes of the name");
                        unknown.get_or_insert_with(|| self.fault(&reason));
                    }
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
        let operands = match unknown {
            Some(fault) => Err(fault),
            None if opcode.split('.').any(str::is_empty) => {
                Err(self.fault("a modifier of the instruction has no name"))
            }
            None => self.operands(),
        };
        match operands {
            Ok(operands) => Ok(Instruction {
                predicate,
                opcode,
                operands,
            }),
            Err(fault) => Err(Unreadable {
                opcode: Some(opcode),
                ..fault
            }),
        }
    }

    /// The operands of an instruction, and its end.
    fn operands(&mut self) -> Result<Vec<Operand>, Unreadable> {
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
        Ok(operands)
    }
}
