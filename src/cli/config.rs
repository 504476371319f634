//! `torchada config`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{PortArgs, SharedArgs, help};

/// The arguments of `torchada config`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::CONFIG_EXAMPLES)]
pub struct ConfigArgs {
    /// The tree, folder or file whose configuration is shown
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// How the settings are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: ConfigFormat,

    /// The arguments that a port or a check shares with this command.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl ConfigArgs {
    /// The port whose settings are shown.
    pub fn port(&self) -> PortArgs {
        PortArgs {
            path: self.path.clone(),
            dry_run: true,
            shared: self.shared.clone(),
            ..PortArgs::default()
        }
    }
}

/// How settings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ConfigFormat {
    /// As a configuration file, with the origin of each value behind it
    #[default]
    Toml,
    /// For programs
    Json,
}
