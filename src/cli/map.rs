//! `torchada map`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{TableArgs, help};

/// The arguments of `torchada map`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::MAP_EXAMPLES)]
pub struct MapArgs {
    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// Names to look up: CUDA's functions, types, macros, headers, libraries and flags, PyTorch's operators and functions
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "conflicts"])]
    pub names: Vec<String>,

    /// Answer as JSON
    #[arg(long)]
    pub json: bool,

    /// List the libraries of the tables, or every row of one
    #[arg(long, value_name = "LIB", num_args = 0..=1, conflicts_with = "names")]
    pub list: Option<Option<String>>,

    /// List the names of which the facts say something else than the built-in tables
    #[arg(long, conflicts_with_all = ["names", "list", "no_facts"])]
    pub conflicts: bool,

    /// A facts file, as `torchada learn` writes it [default: the facts of the SDK on this machine, where
    /// they are known]
    #[arg(long, value_name = "FILE", conflicts_with = "no_facts")]
    pub facts: Option<PathBuf>,

    /// Use no facts, whatever SDK is on this machine
    #[arg(long)]
    pub no_facts: bool,

    /// The tables.
    #[command(flatten)]
    pub tables: TableArgs,
}
