//! An `asm` statement as a whole: the text of its template, its operands, its control flow, and the C++ around and in
//! place of it.

pub mod aliases;
pub mod comment;
pub mod constants;
pub mod control;
pub mod declared;
pub mod indirect_branches;
pub mod jumps;
pub mod layout;
pub mod macros;
pub mod operands;
pub mod place;
pub mod placement;
pub mod source_file;
pub mod template;
pub mod translate;
pub mod variables;
