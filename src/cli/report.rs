//! `torchada report`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::help;

/// The arguments of `torchada report`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::REPORT_EXAMPLES)]
pub struct ReportArgs {
    /// The report: what a port left in its output (the output itself may be named), or what
    /// `check --format json` printed; `-` reads that from standard input
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,

    /// An older report, to show what changed
    #[arg(long, value_name = "OLD")]
    pub since: Option<PathBuf>,

    /// The page to write; one that this command wrote before is replaced [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
