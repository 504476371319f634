//! The program: arguments in, exit code out. The only place that ends the process.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use torchada::cli::{Cli, Exit};
use torchada::commands::{self, Streams};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut err = io::stderr().lock();
    let mut input = io::stdin().lock();
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        input: &mut input,
    };
    let result = commands::run(cli, &mut streams);
    let flushed = out.flush();
    match result {
        Ok(exit) if flushed.is_ok() => ExitCode::from(exit.code()),
        Ok(_) => ExitCode::from(Exit::Partial.code()),
        Err(error) => {
            let _ = writeln!(err, "error: {error:#}");
            if let Some(help) = commands::advice(&error) {
                let _ = writeln!(err, "  help: {help}");
            }
            ExitCode::from(Exit::Refused.code())
        }
    }
}
