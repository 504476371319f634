//! The command line: what may be asked for. No I/O here; `config` turns it into settings.

mod check;
#[cfg(test)]
mod docs;
mod exit;
mod generate;
mod help;
mod map;
mod port;
mod rules;
mod shared;
mod shim;

pub use check::{CheckArgs, FailOn, Format};
pub use exit::Exit;
pub use generate::{GenerateArgs, Generated, completions, manual};
pub use map::MapArgs;
pub use port::{LayoutArg, PortArgs};
pub use rules::{ExplainArgs, RulesArgs};
pub use shared::{Dialect, MinEvidence, Rename, SharedArgs};
pub use shim::ShimArgs;

use clap::{Parser, Subcommand, ValueEnum};

/// The whole command line.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "torchada",
    version,
    about = "Translate CUDA source trees to Moore Threads MUSA",
    long_about = help::ABOUT,
    after_help = help::EXAMPLES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Colours in messages. `auto` asks the terminal and honours `NO_COLOR`
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "auto|always|never"
    )]
    pub color: Color,
}

/// One subcommand with its arguments.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Translate a tree, a part of one, a file, or standard input
    Port(Box<PortArgs>),
    /// Show the findings of a port, and write nothing
    Check(Box<CheckArgs>),
    /// Say what a finding's code means, and what to do about it
    Explain(ExplainArgs),
    /// List the codes of findings
    Rules(RulesArgs),
    /// Look up CUDA names in the mapping tables
    Map(MapArgs),
    /// Write headers with which a compiler for CUDA reads a port
    Shim(ShimArgs),
    /// Make completions for a shell, or manual pages
    Generate(GenerateArgs),
}

impl Command {
    /// Whether the results have colours where a terminal shows them.
    pub fn is_styled(&self) -> bool {
        matches!(self, Self::Check(_) | Self::Explain(_) | Self::Rules(_))
    }
}

/// When messages are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Color {
    /// Where a terminal shows them and nothing in the environment forbids it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn by_rule_needs_diff() {
        assert!(Cli::try_parse_from(["torchada", "port", ".", "--by-rule"]).is_err());
        assert!(Cli::try_parse_from(["torchada", "port", ".", "--diff", "--by-rule"]).is_ok());
    }

    #[test]
    fn a_layout_is_two_paths() {
        assert!(Cli::try_parse_from(["torchada", "port", ".", "--layout", "a=b"]).is_ok());
        assert!(Cli::try_parse_from(["torchada", "port", ".", "--layout", "a"]).is_err());
    }
}
