//! `torchada build`: its arguments.

use std::ffi::OsString;

use clap::Args;

use super::{LogArgs, help};

/// The arguments of `torchada build`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::BUILD_EXAMPLES)]
pub struct BuildArgs {
    /// How what it prints is explained.
    #[command(flatten)]
    pub shown: LogArgs,

    /// The command that builds the port
    // Without a heading of its own it would stand below that of the messages.
    #[arg(
        value_name = "COMMAND",
        help_heading = None::<&str>,
        last = true,
        required = true
    )]
    pub command: Vec<OsString>,
}
