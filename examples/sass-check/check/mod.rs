//! Compiles each form of instruction and the C++ in its place, and compares the machine code.

// The program and the test take what each needs.
#![allow(dead_code)]

mod compiler;
mod kernels;
mod listing;
#[path = "../../shared/port/mod.rs"]
mod port;
mod print;
mod rows;
mod statements;
mod table;
mod verdict;

pub use crate::sysroot::default_cache;
#[allow(unused_imports, reason = "the program prints, the test asks")]
pub use print::print;
pub use rows::{Checked, checked};
pub use table::{faults, path, with_proofs};

use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;

use compiler::Compiler;
use verdict::{Batch, Verdict};

/// How many statements are compiled as one file. Reading headers takes longer than compiling a statement.
const AT_ONCE: usize = 100;

/// Check all rows of the table, in its order, with a compiler that is kept in `cache`.
///
/// # Errors
/// Where the check can't be made: a tool or a part of the sysroot is missing.
pub fn run(cache: &Path) -> Result<Vec<Checked>> {
    let compiler = Compiler::new(cache)?;
    let statements = statements::all()?;
    let place = tempfile::tempdir().context("can't make a temporary folder")?;
    let mut batches = Vec::new();
    for (at, statements) in statements.chunks(AT_ONCE).enumerate() {
        let folder = place.path().join(at.to_string());
        std::fs::create_dir(&folder)?;
        // One after another: a port takes all cores by itself.
        batches.push(Batch::new(statements, &folder)?);
    }
    let verdicts = batches
        .into_par_iter()
        .map(|batch| batch.verdicts(&compiler));
    let verdicts: Vec<Vec<Verdict>> = verdicts.collect::<Result<_>>()?;
    Ok(checked(
        &statements,
        verdicts.into_iter().flatten().collect(),
    ))
}
