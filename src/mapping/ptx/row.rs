//! A row of the table: what the forms of an instruction become.

use serde::{Deserialize, Serialize};

use super::{Evidence, Exactness};

/// A family of instructions whose translation is worked out by code, because it follows from the instruction's parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Calculates with floating-point numbers.
    Arithmetic,
    /// Compares and sets predicates or masks.
    Compare,
    /// Converts between types.
    Convert,
    /// Converts to and from numbers of eight bits or fewer.
    Small,
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
    /// Copies memory to shared memory.
    Copy,
    /// Reads and writes memory at once.
    Atomic,
    /// Moves, packs and unpacks registers.
    Move,
    /// Exchanges between the lanes of a warp.
    Shuffle,
    /// Multiplies matrices whose parts the lanes of a warp have.
    Multiply,
    /// Loads, stores and transposes such parts.
    Exchange,
    /// Reduces floating-point numbers among the lanes of a warp.
    Reduce,
    /// Chooses a lane of a warp.
    Elect,
    /// Compares a value among the lanes of a warp.
    Match,
    /// A logical function of three operands by its table of truth.
    Logic,
    /// Chooses bytes of two registers.
    Permute,
    /// Waits for the threads of a block.
    Barrier,
    /// Calculates with bytes and halves of registers.
    Video,
}

/// What the forms of an instruction become.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PtxRow {
    /// The forms: `add.{u32|s32}`, `fma.rn[.ftz].f32`. `{a|b}` stands for one of several texts, `[a]` for a text or
    /// nothing, and a `*` at the end for anything.
    pub forms: Vec<String>,
    /// The names of the operands in their order; the first is the destination where it is called `d`.
    #[serde(default)]
    pub operands: String,
    /// C++: an expression for `d`, or a statement. `{a}` is an operand as a value of the instruction's type,
    /// `{a:u32}` as one of another type, `{T}` the C++ name of the instruction's type, `{bits}` its width.
    pub cpp: Option<String>,
    /// The type of that expression, where it is not the instruction's.
    pub result: Option<String>,
    /// The code that works the translation out, in place of `cpp`.
    pub by: Option<Family>,
    /// Why the instruction may be left out.
    pub nothing: Option<String>,
    /// Why there is no translation.
    pub none: Option<String>,
    /// What to do where there is none.
    pub advice: Option<String>,
    /// How the translation compares.
    pub exactness: Option<Exactness>,
    /// Whether the row holds only where a user wants emulation: it takes much more work than the instruction.
    #[serde(default)]
    pub emulated: bool,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
    /// What proves, besides the cases of the row, that the translation is right.
    pub proof: Option<Proof>,
}

/// What a program has proved of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Of each form NVIDIA's compiler makes the same machine code as of its C++. `examples/sass-check` writes this.
    Sass,
}

impl Proof {
    /// The word that tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sass => "sass",
        }
    }
}
