//! `torchada merge`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{PortArgs, SharedArgs, WriteArgs, help};

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

    /// What is written, and what is said of it.
    #[command(flatten)]
    pub write: WriteArgs,

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
            no_cache: true,
            write: self.write.clone(),
            shared: self.shared.clone(),
            ..PortArgs::default()
        }
    }
}
