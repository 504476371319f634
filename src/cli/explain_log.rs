//! `torchada explain-log`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CodeFilter, FailOn, Format, help};

/// The arguments of `torchada explain-log`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::EXPLAIN_LOG_EXAMPLES)]
pub struct ExplainLogArgs {
    /// What a build of the port printed; `-` reads it from standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,

    /// How the log is read, and what is shown.
    #[command(flatten)]
    pub shown: LogArgs,
}

/// The port that a log is about, and how its messages are shown.
#[derive(Clone, Debug, Default, Args)]
pub struct LogArgs {
    /// The output of the port that was built
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub port: PathBuf,

    /// The facts of the SDK, which say of a name that it lacks what is near; without it those that are known of this
    /// machine's SDK
    #[arg(long, value_name = "FILE", conflicts_with = "no_facts")]
    pub facts: Option<PathBuf>,

    /// Use no facts
    #[arg(long)]
    pub no_facts: bool,

    /// How the messages are shown
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Messages"
    )]
    pub format: LogFormat,

    /// Write what is shown to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Messages")]
    pub output: Option<PathBuf>,

    /// Which messages are shown.
    #[command(flatten, next_help_heading = "Messages")]
    pub codes: CodeFilter,
}

/// How the messages of a build are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum LogFormat {
    /// The causes, the most frequent first
    #[default]
    Causes,
    /// Each message with its place in the original
    Full,
    /// One line for each message
    Concise,
    /// A report, as `check` writes it
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// A code quality report of GitLab's
    Gitlab,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// A report as test runners write it
    Junit,
}

impl LogFormat {
    /// The format of findings; `None` for causes.
    pub fn of_findings(self) -> Option<Format> {
        match self {
            Self::Causes => None,
            Self::Full => Some(Format::Full),
            Self::Concise => Some(Format::Concise),
            Self::Json => Some(Format::Json),
            Self::Github => Some(Format::Github),
            Self::Gitlab => Some(Format::Gitlab),
            Self::Sarif => Some(Format::Sarif),
            Self::Junit => Some(Format::Junit),
        }
    }
}

/// The least severity of a message that makes the exit code 1.
pub const LOG_FAILS_ON: FailOn = FailOn::Error;
