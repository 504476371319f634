//! The command line: commands, options and arguments. No I/O here; `config` turns the arguments into settings.

mod alias_header;
mod build;
mod check;
mod choice;
mod config;
mod doctor;
mod exit;
mod explain_log;
mod generate;
mod help;
mod learn;
mod map;
mod port;
mod report;
mod rules;
mod run;
mod schema;
mod server;
mod shared;
mod shim;
mod tables;
mod unport;
mod write;

pub use alias_header::AliasHeaderArgs;
pub use build::BuildArgs;
pub use check::{CheckArgs, FailOn, Format};
pub use choice::{Choice, Choices, choice, words};
pub use config::{ConfigArgs, ConfigFormat};
pub use doctor::{DoctorArgs, InfoArgs, MachineArgs};
pub use exit::Exit;
pub use explain_log::{ExplainLogArgs, LOG_FAILS_ON, LogArgs, LogFormat};
pub use generate::{GenerateArgs, Generated, completions, manual};
pub use learn::LearnArgs;
pub use map::MapArgs;
pub use port::{LayoutArg, PortArgs};
pub use report::ReportArgs;
pub use rules::{ExplainArgs, RulesArgs};
pub use run::{Device, PackageArgs, PythonArg, RunArgs};
pub use schema::schema;
pub use server::ServerArgs;
pub use shared::{CodeFilter, InlinePtx, ProgressWhen, SharedArgs, Verify};
pub use shim::ShimArgs;
pub use tables::TableArgs;
pub use unport::UnportArgs;
pub use write::{OnConflict, WriteArgs};

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::mapping::Tables;

/// The whole command line.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "torchada",
    version = Tables::SHOWN_VERSION,
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

    /// Colours in messages. `auto` asks the terminal, and honours `NO_COLOR` and `CLICOLOR_FORCE`
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

impl Cli {
    /// Read the command line of this process.
    ///
    /// # Errors
    /// The message for the user about wrong arguments; help and the version come this way, too.
    pub fn of_process() -> Result<Self, clap::Error> {
        let matches = Self::shown().try_get_matches();
        let read = matches.and_then(|mut matches| Self::from_arg_matches_mut(&mut matches));
        read.map_err(|error| with_hint(error.format(&mut Self::shown())))
    }

    /// The command line as help shows it: an option that means nothing to a command is not listed there.
    pub fn shown() -> clap::Command {
        let mut cli = Self::command();
        for (command, options) in MEANINGLESS {
            cli = cli.mut_subcommand(command, |one| {
                let options = options.iter();
                options.fold(one, |one, option| one.mut_arg(option, |arg| arg.hide(true)))
            });
        }
        cli
    }
}

/// Options that commands take and do nothing with, since they share them with `port`.
const MEANINGLESS: [(&str, &[&str]); 4] = [
    (
        "config",
        &["stdin_path", "jobs", "verify", "progress", "timings"],
    ),
    ("alias-header", &["stdin_path", "rename", "dialect", "ptx"]),
    ("unport", &["root", "stdin_path"]),
    ("server", &["stdin_path", "verify", "progress", "timings"]),
];

/// `torchada port a b`: other programs take the place of their output so.
fn with_hint(mut error: clap::Error) -> clap::Error {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let is_port = usage.is_some_and(|usage| usage.contains("torchada port "));
    let second = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if !word.starts_with('-') => word.clone(),
        _ => return error,
    };
    if is_port && error.kind() == ErrorKind::UnknownArgument {
        let hint = StyledStr::from(format!("the port goes where `-o` says: `-o {second}`"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
    }
    error
}

/// One subcommand with its arguments.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Translate a tree, a part of one, a file, or standard input
    Port(Box<PortArgs>),
    /// Show the findings of a port, and write nothing
    Check(Box<CheckArgs>),
    /// Bring a patch against a port back to CUDA's names
    Unport(Box<UnportArgs>),
    /// Show a report as one HTML page
    Report(ReportArgs),
    /// Say what a finding's code means, and what to do about it
    Explain(ExplainArgs),
    /// Lead the messages of a build of a port back to the original
    ExplainLog(Box<ExplainLogArgs>),
    /// Run a build of a port, and explain what stops it
    Build(Box<BuildArgs>),
    /// List the codes of findings
    Rules(RulesArgs),
    /// Look up CUDA names in the mapping tables
    Map(MapArgs),
    /// Read the MUSA SDK of this machine, and write down what it has of CUDA's names
    Learn(LearnArgs),
    /// Write headers that let a compiler for CUDA read a port
    Shim(ShimArgs),
    /// Write a header that gives CUDA's names their MUSA meaning, so that one source builds for both
    AliasHeader(Box<AliasHeaderArgs>),
    /// Show the effective settings, each with its origin
    Config(Box<ConfigArgs>),
    /// Say whether this machine is ready for MUSA, and for a project
    Doctor(DoctorArgs),
    /// Print the versions and paths that a bug report needs
    Info(InfoArgs),
    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// Run a PyTorch program that was written for CUDA on MUSA, or try it out on the CPU
    Run(RunArgs),
    #[allow(clippy::doc_markdown)]
    /// Try PyTorch's operators on the device, and say which are wrong, missing or slow
    #[command(after_help = help::VERIFY_EXAMPLES, disable_help_flag = true)]
    Verify(PackageArgs),
    /// Measure what calls that were written for CUDA cost on MUSA
    #[command(
        after_help = help::BENCH_EXAMPLES,
        disable_help_flag = true,
        override_usage = "torchada bench [--python PYTHON] overhead|ops [ARGUMENT]..."
    )]
    Bench(PackageArgs),
    /// Serve an editor: findings while somebody types, over the Language Server Protocol
    Server(Box<ServerArgs>),
    /// Make completions for a shell, manual pages, or the configuration's schema
    Generate(GenerateArgs),
}

impl Command {
    /// When the command shows a progress bar.
    pub fn progress(&self) -> ProgressWhen {
        let (quiet, shared) = match self {
            Self::Port(args) => (args.write.quiet, &args.shared),
            Self::Check(args) => (args.quiet, &args.shared),
            Self::AliasHeader(args) => (args.quiet, &args.shared),
            Self::Unport(args) => (args.quiet, &args.shared),
            _ => return ProgressWhen::Never,
        };
        if quiet {
            ProgressWhen::Never
        } else {
            shared.progress
        }
    }

    /// Whether the command says where its time went.
    pub fn says_timings(&self) -> bool {
        match self {
            Self::Port(args) => args.shared.timings,
            Self::Check(args) => args.shared.timings,
            Self::AliasHeader(args) => args.shared.timings,
            Self::Unport(args) => args.shared.timings,
            _ => false,
        }
    }

    /// Whether the results have colours where a terminal shows them.
    pub fn is_styled(&self) -> bool {
        matches!(
            self,
            Self::Check(_)
                | Self::Explain(_)
                | Self::ExplainLog(_)
                | Self::Rules(_)
                | Self::Config(_)
                | Self::Doctor(_)
                | Self::Info(_)
        )
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
    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Cli::shown().debug_assert();
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
