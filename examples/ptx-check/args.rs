//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use crate::check::Limits;

/// Port small kernels, run them on the host, and compare what they write.
#[derive(Debug, Parser)]
pub(crate) struct Args {
    /// The cases, a JSON object on each line: name, source, input, output, threads, and a tolerance if any
    pub(crate) cases: PathBuf,
    /// Print a JSON object for each case
    #[arg(long)]
    pub(crate) json: bool,
    /// How many seconds one case may run
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// How many seconds one case may take to compile
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    compile_timeout: u64,
}

impl Args {
    /// How long the parts of a check may take.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            compile: Duration::from_secs(self.compile_timeout),
            run: Duration::from_secs(self.timeout),
        }
    }
}
