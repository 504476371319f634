//! `torchada alias-header`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{PortArgs, SharedArgs, help};
use crate::mapping::{Dialect, Rename};

/// The arguments of `torchada alias-header`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::ALIAS_HEADER_EXAMPLES)]
pub struct AliasHeaderArgs {
    /// The tree, folder or file whose CUDA names the header is for
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// The header to write; one that this command wrote before is replaced [default: standard
    /// output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// What to read, how to translate it, and which configuration holds.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl AliasHeaderArgs {
    /// The port whose edits the header stands for: of C++, and without new names for files.
    pub fn port(&self) -> PortArgs {
        let shared = SharedArgs {
            dialect: Some(Dialect::Musa),
            rename: Some(Rename::Never),
            ..self.shared.clone()
        };
        PortArgs::dry(self.path.clone(), self.quiet, shared)
    }
}
