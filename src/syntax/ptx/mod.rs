//! Inline assembly: a statement `asm("…" : … : … : …)` of C++ with its operands, and the PTX in its template.
//!
//! The reader takes a template as `nvcc` does: adjacent string literals are one text, `%0` and `%[name]` stand for
//! operands, `%%` for one `%`. It reads all of a template or says at which byte it stopped, because a translation
//! of half an assembly statement would be wrong.
//!
//! Source of the grammar: "Parallel Thread Execution ISA", chapters "Syntax" and "Instruction Operands", and
//! "Inline PTX Assembly in CUDA", both NVIDIA's.

mod declaration;
mod expression;
mod model;
mod number;
mod operand;
mod parser;
mod pieces;
mod scanner;
mod statement;
#[cfg(test)]
mod tests;

pub use model::{
    Address, Declaration, Instruction, Item, Operand, Predicate, Unreadable, Variable,
};
pub use parser::{constant, parse};
pub use pieces::{Piece, string_literal};
pub use statement::{AsmOperand, AsmStatement, is_asm_keyword};
