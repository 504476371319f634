//! `torchada server`: its arguments.

use std::path::Path;

use clap::Args;

use super::{CheckArgs, SharedArgs, help};

/// The arguments of `torchada server`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::SERVER_EXAMPLES)]
pub struct ServerArgs {
    /// Speak over standard input and output, as always: some editors say so
    #[arg(long, hide = true)]
    pub stdio: bool,

    /// How files are translated, and which configuration holds.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl ServerArgs {
    /// The check whose findings an editor shows of what lies at a path.
    pub fn check(&self, path: &Path) -> CheckArgs {
        CheckArgs {
            paths: vec![path.to_owned()],
            quiet: true,
            shared: self.shared.clone(),
            ..CheckArgs::default()
        }
    }
}
