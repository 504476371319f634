//! `torchada unport`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{SharedArgs, help};

/// The arguments of `torchada unport`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::UNPORT_EXAMPLES)]
pub struct UnportArgs {
    /// A patch against the port, as git writes it; `-` reads it from standard input
    #[arg(value_name = "PATCH")]
    pub patch: PathBuf,

    /// The tree with CUDA's names that was ported
    #[arg(long, value_name = "TREE", default_value = ".")]
    pub input: PathBuf,

    /// Where the patch against TREE goes [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// What to read, and how it was translated: as the port was made.
    #[command(flatten)]
    pub shared: SharedArgs,
}
