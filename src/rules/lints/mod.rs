//! Checks across files, once every file is translated: places that no longer fit together.

mod arch_list;
mod bare_endings;
mod builds;
mod definitions;
mod endings;
mod extensions;
mod makefiles;
mod ported;
mod supported;

pub use ported::Ported;
use ported::{places, text_in_use};
use torchada_diagnostic::codes::build::{
    CUDA_NUMBERS, MACRO_APART, NOT_COMPILED_ONCE, NOT_FOLLOWED, UNKNOWN_ENDING,
};
use torchada_diagnostic::codes::project::SUPPORTED;
use torchada_diagnostic::{Code, Finding};
use torchada_parallel as parallel;

/// The name of the rules of this folder in reports.
pub const NAME: &str = "lints";

/// All codes of this folder.
pub const CODES: &[Code] = &[
    CUDA_NUMBERS,
    NOT_COMPILED_ONCE,
    NOT_FOLLOWED,
    MACRO_APART,
    UNKNOWN_ENDING,
    SUPPORTED,
];

/// A check of this folder.
type Check = fn(&Ported<'_>, &mut Vec<(usize, Finding)>);

/// All of them, in the order of their findings.
const CHECKS: &[Check] = &[
    arch_list::check,
    definitions::check,
    endings::check,
    builds::check,
    extensions::check,
    makefiles::check,
    bare_endings::check,
    supported::check,
];

/// The findings, each with the index of its file.
pub fn check(ported: &Ported<'_>) -> Vec<(usize, Finding)> {
    parallel::flat_map(CHECKS, |check| {
        let mut found = Vec::new();
        check(ported, &mut found);
        found
    })
}
