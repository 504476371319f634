//! A check of what a port makes of inline PTX: small kernels are ported, compiled for the host, and run.
//!
//! `cargo run --release --example ptx-check -- CASES.jsonl` needs g++. `docs/ptx-check.md` says what a case is and what
//! the check proves.
//!
//! Exit code 0: no case differs; 1: one does; 2: the cases can't be read, or the check could not be made.

mod args;
mod case;
mod check;
mod compare;
mod compile;
mod entry;
#[cfg(test)]
#[path = "../../tests/common/environments.rs"]
mod environments;
#[cfg(test)]
#[path = "../../tests/common/fixtures.rs"]
mod fixtures;
mod hex;
#[cfg(test)]
#[path = "../../tests/common/passed.rs"]
mod passed;
#[path = "../shared/port/mod.rs"]
mod port;
mod print;
#[path = "../shared/process.rs"]
mod process;
mod shared;
#[cfg(test)]
#[path = "../../tests/common/side_by_side.rs"]
mod side_by_side;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_project;
#[cfg(test)]
mod tests_text;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use args::Args;

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

/// Check all cases and print the results. Returns whether none differs.
fn run(args: &Args, out: &mut dyn Write) -> Result<bool> {
    let cases = case::read(&args.cases)?;
    let results = check::all(&cases, &args.limits())?;
    print::all(out, &cases, &results, args.json)?;
    let differs = |result: &check::Outcome| matches!(result, check::Outcome::Differs { .. });
    Ok(!results.iter().any(differs))
}
