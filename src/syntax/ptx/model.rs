//! What a PTX template consists of.

/// One item of a template, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// `.reg .u32 a, b;` or `.shared .align 4 .b8 buffer[64];`
    Declaration(Declaration),
    /// `NAME:`
    Label(String),
    /// `NAME: .branchtargets A, B;`
    Targets(String, Vec<String>),
    /// `{ … }`: names that are declared inside end with it.
    Scope(Vec<Item>),
    /// An instruction with its operands.
    Instruction(Instruction),
}

/// Declared registers or variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// `reg`, `shared`, `local`, `const` or `global`.
    pub space: String,
    /// `u32`, `pred`, `b8`, …
    pub kind: String,
    /// The number of elements of a vector (`.v4`); 1 for a scalar.
    pub vector: u32,
    /// The alignment in bytes, where one is written.
    pub align: Option<u32>,
    /// Whether it is declared `.extern`: the launch says how large it is.
    pub is_extern: bool,
    /// What it declares.
    pub variables: Vec<Variable>,
}

/// A declared register or variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, without a `%`.
    pub name: String,
    /// How many elements it has in all where it is an array.
    pub elements: Option<u64>,
    /// The values of its first elements, where they are written; the others are zero then.
    pub values: Vec<Operand>,
}

impl Variable {
    pub(super) fn named(name: String) -> Self {
        Self {
            name,
            elements: None,
            values: Vec::new(),
        }
    }
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// `@p` or `@!p` before it.
    pub predicate: Option<Predicate>,
    /// Its name with all modifiers, as in `ld.global.v4.u32`.
    pub opcode: String,
    /// Its operands in order.
    pub operands: Vec<Operand>,
}

/// The predicate of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Whether the instruction runs where the predicate is false.
    pub negated: bool,
    /// The predicate: a register or an operand of the statement.
    pub operand: Operand,
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// `%0` or `%[name]`: the index of the statement's operand.
    Placeholder(usize),
    /// A declared register, variable or label.
    Name(String),
    /// A register that every thread has, without its `%`: `laneid`, `tid.x`.
    Special(String),
    /// An integer constant.
    Integer(i128),
    /// `0f…`: the bits of a 32-bit floating-point number.
    Single(u32),
    /// `0d…`, `1.5`: the bits of a 64-bit floating-point number.
    Double(u64),
    /// `{a, b, c, d}`
    Vector(Vec<Operand>),
    /// `[a+4]`
    Address(Address),
    /// `p|q`: two destinations.
    Pair(Box<Operand>, Box<Operand>),
    /// `buffer+4`
    Offset(Box<Operand>, i64),
    /// `!p`
    Not(Box<Operand>),
    /// `-a`
    Negative(Box<Operand>),
    /// `a.x`, `a.b0`: a part of a register.
    Part(Box<Operand>, String),
    /// `_`: a destination that is thrown away.
    Sink,
}

impl Operand {
    /// The elements of a vector; of a scalar, itself.
    pub fn elements(&self) -> Vec<&Self> {
        match self {
            Self::Vector(parts) => parts.iter().collect(),
            one => vec![one],
        }
    }
}

/// The address in `[base+offset]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// What the address starts at.
    pub base: Box<Operand>,
    /// Bytes behind it.
    pub offset: i64,
    /// The operands behind a comma, as in a tensor's `[map, {x, y}]`.
    pub coordinates: Vec<Operand>,
}

/// Where and why a template can't be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The byte offset in the template's text.
    pub offset: usize,
    /// What stands there, as part of a sentence: "a macro ends the instruction".
    pub reason: String,
    /// The instruction that can't be read, where its name is known.
    pub opcode: Option<String>,
}
