//! `torchada generate`: its arguments.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

use super::help;

/// The arguments of `torchada generate`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::GENERATE_EXAMPLES)]
pub struct GenerateArgs {
    /// What to make.
    #[command(subcommand)]
    pub what: Generated,
}

/// What is made from the definitions of the command line.
#[derive(Clone, Debug, Subcommand)]
pub enum Generated {
    /// A script with which a shell completes commands, to standard output
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Manual pages: torchada.1 and one for each command
    Man {
        /// The folder for them, which is made where it is missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}
