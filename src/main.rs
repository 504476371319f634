//! The program: arguments in, exit code out. The only place that ends the process.

use std::process::ExitCode;

use clap::Parser;
use torchada::cli::Cli;

fn main() -> ExitCode {
    let _cli = Cli::parse();
    ExitCode::SUCCESS
}
