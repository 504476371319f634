//! Instructions of PTX: those that a row of the table says, and the families whose translation follows from the parts of
//! an instruction.

pub mod arithmetic;
pub mod atomics;
pub mod barrier;
pub mod compare;
pub mod convert;
pub mod copy;
pub mod dispatch;
pub mod fragments;
pub mod halves;
pub mod load_store;
pub mod logic;
pub mod matrix;
pub mod moves;
pub mod mtx;
pub mod shuffle;
pub mod small_floats;
pub mod video;

use crate::{Fault, Reason};

/// The fault of an instruction, or of a form of it, that no row and no family knows. Who lowers the instruction names it.
fn unknown() -> Fault {
    Fault::new(Reason::Unknown, "the table has no row for it".to_owned())
}
