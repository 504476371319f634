//! `torchada learn`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::help;

/// The arguments of `torchada learn`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::LEARN_EXAMPLES)]
pub struct LearnArgs {
    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// The folder of the MUSA SDK; without it MUSA_HOME, MUSA_PATH or /usr/local/musa
    #[arg(long, value_name = "DIR")]
    pub musa_home: Option<PathBuf>,

    #[allow(clippy::doc_markdown)]
    /// A folder with CUDA's headers, to compare declarations with; without it CUDA_HOME, CUDA_PATH, /usr/local/cuda,
    /// or what the program knows of CUDA's runtime and driver
    #[arg(long, value_name = "DIR")]
    pub cuda_home: Option<PathBuf>,

    /// What a build of a port printed: the names that it has proven not to be there are facts, too, unless a header of
    /// the SDK declares them
    #[arg(long, value_name = "LOG", requires = "port")]
    pub from_log: Option<PathBuf>,

    /// The output of the port that was built
    #[arg(long, value_name = "DIR", requires = "from_log")]
    pub port: Option<PathBuf>,

    /// A Python that has torch and torch_musa: it is asked which of torch.cuda's names have a counterpart; without it,
    /// none is asked
    #[allow(clippy::doc_markdown)]
    #[arg(long, value_name = "PYTHON")]
    pub python: Option<PathBuf>,

    /// The file that gets the facts; without it they are kept for this user, and `port` and `check` find them
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
