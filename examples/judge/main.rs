//! Accuracy in Python, drawn at random and judged by a reader.
//!
//! `judge draw` draws from all CUDA-like tokens of some projects, whatever the translator makes of
//! them; `judge mix` draws from the edits of ports and mixes them with as many tokens that were
//! not edited. Both write a sheet to be read and a table for the verdicts. `judge score` holds a
//! filled table against a port. Tokens come from the grammar alone: no rule of the translator's
//! has a say in what is drawn. `docs/accuracy.md` says what a verdict is, and holds the results.
//!
//! Exit code 0: done; 2: something could not be read.

#[path = "../draw/pick.rs"]
mod pick;
#[path = "../python/mod.rs"]
mod python;

mod draw;
mod edits;
mod port;
mod score;
mod sheet;
mod tree;
mod verdict;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Judge what the translator does to Python.
#[derive(Debug, Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Draw from all CUDA-like tokens, evenly over the projects
    Draw {
        /// The trees of the projects
        #[arg(required = true)]
        projects: Vec<PathBuf>,
        #[command(flatten)]
        how: How,
    },
    /// Draw from the edits of ports, evenly over the projects, and as many tokens left alone
    Mix {
        /// The trees of the projects
        #[arg(required = true)]
        projects: Vec<PathBuf>,
        /// The folder that holds their ports, under the same names
        #[arg(long, value_name = "DIR")]
        ports: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Hold verdicts against ports
    Score {
        /// A table that was filled in
        table: PathBuf,
        /// The folder that holds the projects
        #[arg(long, value_name = "DIR")]
        projects: PathBuf,
        /// The folder that holds their ports, under the same names
        #[arg(long, value_name = "DIR")]
        ports: PathBuf,
        /// Take the verdicts for the portable dialect
        #[arg(long)]
        portable: bool,
    },
}

/// How something is drawn.
#[derive(Debug, clap::Args)]
struct How {
    /// How many to draw; all, where there are fewer
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many lines to show around each place
    #[arg(long, value_name = "N", default_value_t = 6)]
    context: usize,
    /// Where the sheet goes: OUT.md to be read, OUT.tsv to be filled in
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell where even this fails.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match &args.command {
        Command::Draw { projects, how } => draw::tokens(&mut out, projects, how),
        Command::Mix {
            projects,
            ports,
            how,
        } => draw::edits(&mut out, projects, ports, how),
        Command::Score {
            table,
            projects,
            ports,
            portable,
        } => score::score(&mut out, table, projects, ports, *portable),
    }
}
