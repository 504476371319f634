//! A proof of the table of inline PTX: NVIDIA's compiler makes the same machine code of an instruction and of the C++ in
//! its place.
//!
//! `cargo run --example sass-check` needs g++, python3 with pip, and the network once. `docs/ptx-check.md` says what it
//! proves. With `-- --update` it writes the proofs to `mappings/ptx.toml`.
//!
//! Exit code 0: each proof that the table claims holds; 1: one does not; 2: the check could not be made.

mod check;
#[path = "../shared/process.rs"]
mod process;
#[path = "../shared/sysroot/mod.rs"]
mod sysroot;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

/// Compile instructions and the C++ in their place, and compare the machine code.
#[derive(Debug, Parser)]
struct Args {
    /// Write the proofs to mappings/ptx.toml
    #[arg(long)]
    update: bool,
    /// Name each statement that is not the same
    #[arg(long)]
    all: bool,
    /// Where downloads are kept [default: below cargo's target folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = std::io::stdout().lock();
    match run(&args, &mut out) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nothing is left to tell where even this fails.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Check all rows, and print what came out. Returns whether each proof holds that the table claims.
fn run(args: &Args, out: &mut dyn Write) -> Result<bool> {
    let cache = args.cache.clone().unwrap_or_else(check::default_cache);
    let checked = check::run(&cache)?;
    let path = check::path();
    let failed = || path.display().to_string();
    let text = std::fs::read_to_string(&path).with_context(failed)?;
    check::print(out, &checked, args.all)?;
    if args.update {
        let new = check::with_proofs(&text, &checked).with_context(failed)?;
        if new != text {
            std::fs::write(&path, new).with_context(failed)?;
            writeln!(out, "wrote {}", path.display())?;
        }
        return Ok(true);
    }
    let faults = check::faults(&text, &checked)?;
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    let unclaimed = checked
        .iter()
        .filter(|row| row.is_proved() && !row.is_claimed());
    let unclaimed = unclaimed.count();
    if unclaimed > 0 {
        writeln!(
            out,
            "{unclaimed} rows are proved and don't say so: `-- --update` writes it"
        )?;
    }
    Ok(faults.is_empty())
}
