//! An audit of a port, independent of what made it.
//!
//! `cargo run --release --example audit -- IN OUT` reads both trees with a token scan of its own,
//! and the port's report to see what it has about each reference that stayed. It shares no lexer
//! and no rule with the translator: only the mapping tables are the same.
//!
//! Exit code 0: nothing that must be 0 is more; 1: something is; 2: the audit could not be made.

#[path = "../python/mod.rs"]
mod python;

mod align;
mod architectures;
mod branches;
mod capability;
mod compare;
mod compiles;
mod conditions;
mod context;
mod declared;
mod dispatch;
mod edits;
mod guards;
mod includes;
mod literals;
mod measure;
mod names;
mod nearby;
mod print;
mod prose;
mod python_file;
mod scan;
mod second;
mod syntax;
mod token;
mod tree;
mod trees;
mod vocabulary;
mod world;

#[cfg(test)]
#[path = "../../tests/common/fixtures.rs"]
mod fixtures;
#[cfg(test)]
#[path = "../../tests/common/fuzz.rs"]
mod fuzz;
#[cfg(test)]
#[path = "../../tests/common/side_by_side.rs"]
mod side_by_side;
#[cfg(test)]
#[path = "../../tests/common/soups.rs"]
mod soups;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_python;
#[cfg(test)]
mod tests_soups;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use measure::Measure;
use trees::Trees;

/// Audit a port: what was left, what was changed that should not have been.
#[derive(Debug, Parser)]
// Each is one switch of the command line.
#[allow(clippy::struct_excessive_bools)]
struct Args {
    /// The tree that was ported
    input: PathBuf,
    /// The port
    output: PathBuf,
    /// Show up to this many places for each line
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print one row of a table
    #[arg(long)]
    markdown: bool,
    /// Print the head of the table before the row
    #[arg(long, requires = "markdown")]
    head: bool,
    /// The program that makes the second port [default: beside this one]
    #[arg(long, value_name = "PATH")]
    bin: Option<PathBuf>,
    /// Leave out the second port
    #[arg(long)]
    no_second: bool,
    /// Leave out the count of syntax errors, which takes longest
    #[arg(long)]
    no_parse: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let mut err = std::io::stderr();
            // Nothing is left to tell where even this fails.
            let _ = writeln!(err, "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    let place = |path: &Path| {
        let message = || format!("can't find {}", path.display());
        path.canonicalize().with_context(message)
    };
    let (input, output) = (place(&args.input)?, place(&args.output)?);
    let trees = Trees::read(&input, &output)?;
    let mut tally = tree::audit(&trees, !args.no_parse)?;
    if args.no_parse {
        tally.not_made.push(Measure::SyntaxErrors);
    }
    if args.no_second {
        tally.not_made.push(Measure::SecondPort);
    } else {
        tally.absorb(second::second_port(
            &output,
            trees.dialect.as_deref(),
            &bin(args)?,
        )?);
    }
    tally.sort();
    let project = input.file_name().unwrap_or(input.as_os_str());
    let project = project.to_string_lossy();
    let mut out = std::io::stdout().lock();
    if args.json {
        let value = print::json(&project, &tally, args.examples);
        writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
    } else if args.markdown {
        if args.head {
            writeln!(out, "{}", print::HEAD)?;
        }
        writeln!(out, "{}", print::row(&project, &tally))?;
    } else {
        write!(out, "{}", print::text(&project, &tally, args.examples))?;
    }
    Ok(tally.is_clean())
}

/// The translator: as given, else where cargo puts it beside its examples.
fn bin(args: &Args) -> Result<PathBuf> {
    if let Some(bin) = &args.bin {
        return bin
            .canonicalize()
            .with_context(|| format!("can't find {}", bin.display()));
    }
    let own = std::env::current_exe().context("can't tell where this program lies")?;
    let folder = own.parent().and_then(Path::parent);
    let bin = folder.map(|folder| folder.join("torchada"));
    bin.filter(|bin| bin.is_file())
        .context("no torchada beside this program: build it, or say --bin or --no-second")
}
