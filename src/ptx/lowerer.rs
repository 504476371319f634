//! The state of a translation: registers, lines of C++, and how operands of PTX are read and written.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::literal;
use super::statement::declared::Declared;
use super::types::{Class, Kind};
use super::value::Value;
use super::{Fault, Platform, Reason};
use torchada_mapping::Evidence;
use torchada_mapping::ptx::{Exactness, Ptx, PtxRow};
use torchada_syntax::ptx::{Instruction, Operand};

/// An operand of the statement, as its constraint describes it.
#[derive(Clone, Debug)]
pub(super) struct StatementOperand {
    /// Its type.
    pub(super) kind: Kind,
    /// Whether the statement writes it.
    pub(super) is_output: bool,
    /// Whether it is a pointer that the statement writes.
    pub(super) is_pointer: bool,
    /// What of it the template gets.
    pub(super) form: OperandForm,
    /// The value, where the operand is a literal constant.
    pub(super) constant: Option<i128>,
    /// The value of a constant, where the code around the statement shows it.
    pub(super) known: Option<i128>,
}

/// What of an operand the template gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OperandForm {
    /// A register.
    Register,
    /// A value that the compiler knows: the constraint `n`.
    Constant,
    /// Text of the template: the constraint `C`.
    Text,
}

/// A line of C++ at a depth of nesting.
pub(super) type Line = (usize, String);

/// The translation of one statement, while it is made.
#[derive(Clone, Debug)]
pub(super) struct Lowerer<'a> {
    pub(super) table: &'a Ptx,
    pub(super) platform: Platform<'a>,
    /// How many threads make up a block, where all have to be in a barrier of so many.
    pub(super) block: Option<i128>,
    pub(super) outer: Vec<StatementOperand>,
    /// The names of the scopes that are open.
    pub(super) scopes: Vec<HashMap<String, Declared>>,
    /// Names that C++ around the statement uses, and names in use here.
    pub(super) taken: HashSet<String>,
    /// Locals by their types in C++, in the order of their declarations.
    pub(super) locals: Vec<(String, String)>,
    pub(super) lines: Vec<Line>,
    pub(super) depth: usize,
    pub(super) exactness: Exactness,
    pub(super) evidence: Evidence,
    /// The first instruction that is translated only where emulation is wanted.
    pub(super) emulated: Option<String>,
    /// What became of the carry.
    pub(super) carry: Carry,
}

/// The carry of a statement's instructions.
#[derive(Clone, Default, Debug)]
pub(super) struct Carry {
    /// The last instruction that set it, where no instruction has read it since.
    pub(super) unread: Option<String>,
    /// Whether an instruction has read it.
    pub(super) is_read: bool,
}

pub(super) type Lowered<T> = Result<T, Fault>;

/// The marker that stands for operand `index` until its expression is put in.
pub(super) fn marker(index: usize) -> String {
    format!("\u{1}{index}\u{2}")
}

/// What stands before the first marker in a text, the operand that it stands for, and what stands behind it.
pub(super) fn first_marker(text: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = text.split_once('\u{1}')?;
    let (index, behind) = rest.split_once('\u{2}')?;
    Some((before, index.parse().ok()?, behind))
}

/// The operands whose markers stand in a text.
pub(super) fn operands_in(text: &str) -> impl Iterator<Item = usize> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, index, behind) = first_marker(rest)?;
        rest = behind;
        Some(index)
    })
}

impl Lowerer<'_> {
    /// A name in C++ that nothing else has, as near to `wanted` as can be.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let clean: String = wanted
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let clean = clean.trim_start_matches('_').to_ascii_lowercase();
        let starts = clean.starts_with(|c: char| c.is_ascii_alphabetic());
        let base = if starts { clean } else { format!("r{clean}") };
        let mut name = base.clone();
        let mut count = 1;
        while reserved().contains(name.as_str()) || !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }

    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push((self.depth, text.into()));
    }

    /// A local of the whole statement.
    pub(super) fn local(&mut self, kind: &str, wanted: &str) -> String {
        let name = self.fresh(wanted);
        self.locals.push((kind.to_owned(), name.clone()));
        name
    }

    /// An operand as it is kept, whatever the instruction reads it as.
    pub(super) fn stored(&mut self, operand: &Operand) -> Lowered<Value> {
        match operand {
            Operand::Placeholder(index) => {
                let outer = self.outer.get(*index).ok_or_else(|| {
                    Fault::new(Reason::Operand, format!("operand {index} is not there"))
                })?;
                if outer.form == OperandForm::Text {
                    let text = format!("operand {index} is text, and no part of a name");
                    return Err(Fault::new(Reason::Operand, text));
                }
                Ok(Value::new(marker(*index), outer.kind))
            }
            Operand::Name(name) | Operand::Special(name) => {
                if let Some(declared) = self.declared(name) {
                    return match declared.register {
                        Some(kind) => Ok(Value::new(declared.cpp.clone(), kind)),
                        None if declared.is_shared => Ok(Value::new(
                            format!("__cvta_generic_to_shared({})", declared.cpp),
                            Kind::U64,
                        )),
                        None => Ok(Value::new(
                            format!("(unsigned long long){}", declared.cpp),
                            Kind::U64,
                        )),
                    };
                }
                let special = self
                    .table
                    .special(name)
                    .filter(|_| matches!(operand, Operand::Special(_)));
                match special {
                    Some(special) => {
                        let kind = Kind::named(&special.kind).unwrap_or(Kind::U32);
                        self.evidence = self.evidence.max(special.evidence);
                        Ok(Value::new(special.cpp.clone(), kind))
                    }
                    None => Err(self.no_register(operand, name)),
                }
            }
            Operand::Offset(base, offset) => {
                let base = self.stored(base)?;
                let sign = if *offset < 0 { '-' } else { '+' };
                let text = format!("{} {sign} {}", base.operand(), offset.unsigned_abs());
                Ok(Value::new(text, base.kind))
            }
            Operand::Not(inner) => {
                let value = self.stored(inner)?;
                Ok(Value::new(format!("!{}", value.operand()), Kind::PREDICATE))
            }
            _ => Err(Fault::new(
                Reason::Operand,
                "an operand has a form that this instruction does not take".to_owned(),
            )),
        }
    }

    /// Why nothing stands for a name that the statement does not declare.
    fn no_register(&self, operand: &Operand, name: &str) -> Fault {
        let text = match self.table.missing(name) {
            Some(why) => format!("`%{name}`: {why}"),
            None => format!("nothing is known of `{name}`"),
        };
        let fault = Fault::new(Reason::Operand, text);
        match operand {
            Operand::Special(_) => fault.of(&format!("%{name}")),
            _ => fault,
        }
    }

    /// An operand as a value of a type.
    pub(super) fn read(&mut self, operand: &Operand, kind: Kind) -> Lowered<Value> {
        if let Some(text) = literal::text(operand, kind) {
            return Ok(Value::new(text, kind));
        }
        // The bits of a half.
        if matches!(operand, Operand::Integer(_))
            && let Some(text) = literal::text(operand, kind.as_bits())
            && let Some(value) = Value::new(text, kind.as_bits()).read_as(kind)
        {
            return Ok(value);
        }
        if let Operand::Negative(inner) = operand {
            let value = self.read(inner, kind)?;
            return Ok(Value::new(format!("-{}", value.operand()), kind));
        }
        if let Operand::Placeholder(index) = operand
            && let Some(value) = self.outer.get(*index).and_then(|outer| outer.constant)
            && let Some(text) = literal::text(&Operand::Integer(value), kind)
        {
            return Ok(Value::new(text, kind));
        }
        let stored = self.stored(operand)?;
        stored.read_as(kind).ok_or_else(|| {
            Fault::new(
                Reason::Operand,
                format!(
                    "an operand of {} bits can't be read as {}",
                    stored.kind.bits,
                    kind.cpp()
                ),
            )
        })
    }

    /// A condition: a predicate.
    pub(super) fn condition(&mut self, operand: &Operand, negated: bool) -> Lowered<String> {
        let value = match operand {
            Operand::Integer(value) => return Ok(((*value != 0) != negated).to_string()),
            _ => self.stored(operand)?,
        };
        let value = if value.kind == Kind::PREDICATE {
            value
        } else {
            Value::new(format!("{} != 0", value.operand()), Kind::PREDICATE)
        };
        Ok(if negated {
            match value.text.strip_prefix('!') {
                Some(rest) if super::value::is_atomic(rest) => rest.to_owned(),
                _ => format!("!{}", value.operand()),
            }
        } else {
            value.text
        })
    }

    /// Where a result goes: the text to assign to and the type that is kept there; `None` where it is thrown away.
    pub(super) fn destination(&mut self, operand: &Operand) -> Lowered<Option<(String, Kind)>> {
        match operand {
            Operand::Sink => Ok(None),
            Operand::Placeholder(index) => {
                let outer = self.outer.get(*index).filter(|outer| outer.is_output);
                let outer = outer.ok_or_else(|| {
                    Fault::new(Reason::Operand, format!("operand {index} is no output"))
                })?;
                Ok(Some((marker(*index), outer.kind)))
            }
            Operand::Name(name) | Operand::Special(name) => {
                let register = self
                    .declared(name)
                    .and_then(|one| Some((one.cpp.clone(), one.register?)));
                register.map(Some).ok_or_else(|| {
                    Fault::new(
                        Reason::Operand,
                        format!("`{name}` is no register of the statement"),
                    )
                })
            }
            _ => Err(Fault::new(
                Reason::Operand,
                "a result has a form that is not known".to_owned(),
            )),
        }
    }

    /// Assign a value to a destination.
    pub(super) fn write(&mut self, operand: &Operand, value: &Value) -> Lowered<()> {
        let Some((text, kind)) = self.destination(operand)? else {
            return Ok(());
        };
        // An integer of the destination's width needs no cast: C++ converts it.
        let is_plain = value.kind.is_integer()
            && kind.is_integer()
            && (value.kind.bits == kind.bits
                || value.kind.bits < kind.bits && value.kind.class != Class::Integer);
        let converted = if is_plain {
            value.text.clone()
        } else {
            let read = value.read_as(kind).ok_or_else(|| {
                Fault::new(
                    Reason::Operand,
                    format!("{} does not fit into the destination", value.kind.cpp()),
                )
            })?;
            read.text
        };
        let is_pointer = match operand {
            Operand::Placeholder(index) => {
                self.outer.get(*index).is_some_and(|outer| outer.is_pointer)
            }
            _ => false,
        };
        if is_pointer {
            self.line(format!("{text} = (decltype({text}))({converted});"));
        } else {
            self.line(format!("{text} = {converted};"));
        }
        Ok(())
    }

    /// Take in what a row says of a translation.
    pub(super) fn note(&mut self, row: &PtxRow) {
        if let Some(exactness) = row.exactness {
            self.exactness = self.exactness.max(exactness);
        }
        self.evidence = self.evidence.max(row.evidence);
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Lowered<()> {
        let instruction = &self.resolved(instruction);
        let guard = match &instruction.predicate {
            Some(predicate) => Some(self.condition(&predicate.operand, predicate.negated)?),
            None => None,
        };
        let before = self.lines.len();
        if guard.is_some() {
            self.depth += 1;
        }
        self.unguarded(instruction)
            .map_err(|fault| fault.of(&instruction.opcode))?;
        if let Some(condition) = guard {
            self.depth -= 1;
            let inside = self.lines.split_off(before);
            if let [(_, only)] = inside.as_slice()
                && !only.starts_with("const ")
            {
                self.line(format!("if ({condition}) {only}"));
            } else if !inside.is_empty() {
                self.line(format!("if ({condition}) {{"));
                self.lines.extend(inside);
                self.line("}");
            }
        }
        Ok(())
    }
}

/// Words that C++ keeps for itself: none may name a local.
fn reserved() -> &'static HashSet<&'static str> {
    const WORDS: &str = "and asm auto bool break case char const continue default delete do double else enum export \
        extern false float for friend goto if inline int long min max new not operator or private protected public \
        register return short signed sizeof static struct switch template this throw true try typedef union \
        unsigned using virtual void volatile while xor torchada";
    static SPLIT: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
    &SPLIT
}

/// The parts of an opcode behind its first dot.
pub(super) fn modifiers(opcode: &str) -> Vec<&str> {
    opcode.split('.').skip(1).collect()
}
