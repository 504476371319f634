//! `torchada shim`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{TableArgs, choice, help};
use crate::mapping::Evidence;

/// The arguments of `torchada shim`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::SHIM_EXAMPLES)]
pub struct ShimArgs {
    /// The folder that gets the headers; one that this command did not make must be empty
    #[arg(value_name = "DIR")]
    pub output: PathBuf,

    /// The weakest evidence on which a name gets an alias
    #[arg(long, value_parser = choice::<Evidence>(), value_name = "LEVEL", default_value = "contested")]
    pub min_evidence: Evidence,

    /// An include folder of CUDA's: its file names complete what the tables say of whole folders,
    /// such as cuda/std/; may be given several times
    #[arg(long, value_name = "DIR")]
    pub headers: Vec<PathBuf>,

    /// The tables.
    #[command(flatten)]
    pub tables: TableArgs,

    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
