//! `torchada generate`: its arguments, and the completions and manual pages that are made from the definitions of all
//! commands.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, Subcommand};
use clap_complete::Shell;

use super::{Cli, help};

/// The section of the manual for programs that a user starts.
const SECTION: &str = "1";

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
    /// The JSON schema of torchada.toml, with which editors complete and check, to standard output
    Schema,
    /// Manual pages: torchada.1 and one for each command
    Man {
        /// The folder for them, which is made where it is missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// The script with which a shell completes commands.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::shown(), "torchada", &mut script);
    script
}

/// The manual's pages: the name of each one's file, and its text.
///
/// # Errors
/// None that is known; the library's signature has one.
pub fn manual() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut root = Cli::shown().disable_help_subcommand(true);
    root.build();
    let commands = root.get_subcommands().map(|one| {
        let name = format!("torchada-{}", one.get_name());
        one.clone().display_name(name)
    });
    let mut pages: Vec<Command> = commands.collect();
    pages.insert(0, root);
    let pages = pages.into_iter().map(|page| {
        let page = clap_mangen::Man::new(page).section(SECTION);
        let mut text = Vec::new();
        page.render(&mut text)?;
        Ok((page.get_filename(), text))
    });
    pages.collect()
}
