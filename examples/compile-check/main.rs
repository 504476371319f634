//! A compile check for ports: the port against its original, with real CUDA headers.
//!
//! `cargo run --release --example compile-check -- ORIGINAL PORT` needs g++, python3 with pip, and
//! the network once. `docs/compile-check.md` says what it proves.
//!
//! Exit code 0: each port whose original compiles agrees, or its report says why not; 1: one does
//! not; 2: the check could not be made.

mod args;
mod check;
#[path = "../shared/process.rs"]
mod process;
#[path = "../shared/sysroot/mod.rs"]
mod sysroot;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;

use args::Args;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nothing is left to tell where even this fails.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    let outcome = check::run(&args.tools()?, &args.options())?;
    if let Some(path) = &args.json {
        let failed = || format!("can't write {}", path.display());
        std::fs::write(path, check::json(&outcome)).with_context(failed)?;
    }
    if outcome.files.is_empty() {
        bail!("there is no CUDA source, and no list names one");
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{}", check::text(&outcome, args.all))?;
    Ok(outcome.is_good())
}
