//! What tables a command goes by, besides the built-in ones: the arguments of commands that translate nothing.

use std::path::PathBuf;

use clap::Args;

/// Tables of the user's, and the releases that the answers are for.
#[derive(Clone, Debug, Args)]
pub struct TableArgs {
    /// A table of your own, laid over the built-in ones; may be given several times
    #[arg(long, value_name = "FILE")]
    pub mapping: Vec<PathBuf>,

    /// The release of the MUSA SDK, such as 4.2.0: what came later counts as missing
    #[arg(long, value_name = "VERSION")]
    pub sdk: Option<String>,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// The release of torch_musa: what came later counts as missing
    #[arg(long, value_name = "VERSION")]
    pub torch_musa: Option<String>,
}
