//! `torchada merge`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{OnConflict, PortArgs, SharedArgs, help};

/// The arguments of `torchada merge`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::MERGE_EXAMPLES)]
pub struct MergeArgs {
    /// The tree, as the shards were made of it
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// What each shard left: the files, or folders that hold them, in any order
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// Where the port goes [default: NAME_musa beside PATH]
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Write nothing: exit with 1 and print a diff where the port would change OUT
    #[arg(long, conflicts_with = "report", help_heading = "Output")]
    pub check: bool,

    /// Where your edit of OUT and the new port changed the same lines: `mark` both in the file,
    /// take `ours` or `theirs`, or `stop` before anything is written [default: mark]
    #[arg(
        long,
        value_name = "WHAT",
        help_heading = "Output",
        hide_possible_values = true
    )]
    pub on_conflict: Option<OnConflict>,

    /// Leave out the Python package for run time, `torchada/`
    #[arg(long, help_heading = "Output")]
    pub no_stub: bool,

    /// Also write the report (JSON) to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Say nothing but errors; with --check, nothing but the exit code
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// What to read, and how it was translated: as the shards were made.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl MergeArgs {
    /// The port that it comes to.
    pub fn port(&self) -> PortArgs {
        PortArgs {
            path: self.path.clone(),
            output: self.output.clone(),
            check: self.check,
            on_conflict: self.on_conflict,
            no_stub: self.no_stub,
            report: self.report.clone(),
            no_cache: true,
            quiet: self.quiet,
            shared: self.shared.clone(),
            ..PortArgs::default()
        }
    }
}
