//! Inline PTX as C++: what an `asm` statement becomes, by the rows of `mappings/ptx.toml`.
//!
//! A statement is translated whole or not at all. What a row can say in a line of C++ stands there; families whose
//! translation follows from the parts of an instruction (`ld`, `cvt`, `setp`, …) have a file each.
//!
//! `hazards` translates a statement when it finds it, because a guard around it is decided by what is left. The rule
//! that makes the edit writes that translation, with the names in its operands as other rules changed them.

mod header;
mod instructions;
mod limits;
mod literal;
mod lowerer;
mod platform;
mod statement;
mod translation;
mod translator;
mod types;
mod value;

pub use header::{FILE, header, needs_of};
pub use platform::Platform;
pub use statement::source_file::SourceFile;
pub use translation::Translation;
pub use translator::Translator;

use std::collections::BTreeSet;

use torchada_mapping::ptx::Exactness;
use torchada_text::TextRange;

/// What became of the statements of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileOutcome {
    /// What the file needs of the header now.
    pub needs: Needs,
    /// The place of the first statement that needs the header.
    pub first_need: Option<usize>,
    /// The places of the statements that were translated, in their order, and how exact that is.
    pub translated: Vec<(TextRange, Exactness)>,
    /// How many statements stay.
    pub kept: usize,
}

impl FileOutcome {
    /// Take in what the code at a place needs of the header.
    pub fn require(&mut self, needs: &Needs, place: usize) {
        if !needs.is_empty() {
            self.needs.extend(needs);
            self.first_need = Some(self.first_need.map_or(place, |first| first.min(place)));
        }
    }
}

/// What translated statements need of the header that a port writes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// The functions that they call.
    pub functions: BTreeSet<String>,
    /// The headers of MUSA's that declare what they name.
    pub headers: BTreeSet<String>,
}

impl Needs {
    /// Whether the header can be done without.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.headers.is_empty()
    }

    /// Take in what others need.
    pub fn extend(&mut self, others: &Self) {
        self.functions.extend(others.functions.iter().cloned());
        self.headers.extend(others.headers.iter().cloned());
    }
}

/// Why a statement is not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind of reason it is.
    pub reason: Reason,
    /// The reason as part of a sentence.
    pub text: String,
    /// The instruction or special register to blame, where it is one.
    pub opcode: Option<String>,
    /// The byte offset in the source at which reading stopped, where it did.
    pub place: Option<usize>,
}

/// Kinds of reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The statement or its template can't be read.
    Unreadable,
    /// The table has no row for an instruction.
    Unknown,
    /// The table says that there is no translation.
    None {
        /// What to do.
        advice: String,
    },
    /// Operands have a form that the row does not take.
    Operand,
    /// The branches have no shape that C++ has.
    Branches,
    /// The carry goes from one statement to another.
    Carry {
        /// Whether the statement takes it. Otherwise it leaves it to another one.
        is_taken: bool,
    },
}

impl Fault {
    fn new(reason: Reason, text: String) -> Self {
        Self {
            reason,
            text,
            opcode: None,
            place: None,
        }
    }

    fn unknown(opcode: &str) -> Self {
        Self {
            opcode: Some(opcode.to_owned()),
            ..Self::new(
                Reason::Unknown,
                format!("`{opcode}` is not in the table of instructions"),
            )
        }
    }

    /// The fault of an instruction that reads a carry which its statement does not set.
    fn takes_carry(opcode: &str) -> Self {
        let text = format!("`{opcode}` takes a carry that this statement does not set");
        Self::new(Reason::Carry { is_taken: true }, text).of(opcode)
    }

    /// The fault of an instruction whose carry is for another statement.
    pub fn hands_on(opcode: &str) -> Self {
        let text = format!("`{opcode}` leaves a carry that another statement takes");
        Self::new(Reason::Carry { is_taken: false }, text).of(opcode)
    }

    /// The fault with the instruction that it is about.
    fn of(self, opcode: &str) -> Self {
        if self.reason == Reason::Unknown && self.opcode.is_none() {
            return Self::unknown(opcode);
        }
        Self {
            opcode: self.opcode.or_else(|| Some(opcode.to_owned())),
            ..self
        }
    }
}
