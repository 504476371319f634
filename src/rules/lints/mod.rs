//! Checks across files, once every file is translated: places that no longer fit together.

mod arch_list;
mod bare_endings;
mod builds;
mod definitions;
mod endings;
mod extensions;
mod ported;

use crate::diagnostic::{Code, Finding};
pub use ported::Ported;
use ported::{places, text_in_use};

/// The name of the rules of this folder in reports.
pub const NAME: &str = "lints";

/// All codes of this folder.
pub const CODES: &[Code] = &[
    arch_list::CUDA_NUMBERS,
    builds::NOT_REACHED,
    builds::NOT_FOLLOWED,
    definitions::MACRO_APART,
    endings::UNKNOWN_ENDING,
];

/// The findings, each with the index of its file.
pub fn check(ported: &Ported<'_>) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    arch_list::check(ported, &mut found);
    definitions::check(ported, &mut found);
    endings::check(ported, &mut found);
    builds::check(ported, &mut found);
    extensions::check(ported, &mut found);
    bare_endings::check(ported, &mut found);
    found
}
