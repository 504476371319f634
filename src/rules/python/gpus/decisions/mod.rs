//! Decides questions for a capability of CUDA's by what their answers decide, as guards of C++ are decided: where the
//! answer that MUSA's GPUs give leads to the right code, the question is settled; where it stops the program, that is an
//! error; what can't be decided keeps its own finding.

mod clues;
mod constants;
mod decided;
mod effects;
mod name_parts;
mod reasons;
mod right_anyway;
mod surroundings;
mod verdict;
mod ways;

pub(super) use decided::{Decided, WrongEffect};
pub(super) use right_anyway::{verdict_on_lookup, verdict_on_number};
pub(super) use verdict::{Verdict, verdict};
pub(super) use ways::{Ends, Way, ends};
