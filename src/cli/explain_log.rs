//! `torchada explain-log`: its arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
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
        value_parser = log_format(),
        default_value = "causes",
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

/// How the messages of a build are shown: as findings are, or by their causes, where that is `None`.
pub type LogFormat = Option<Format>;

fn log_format() -> impl TypedValueParser<Value = LogFormat> {
    let causes = PossibleValue::new("causes").help("The causes, the most frequent first");
    let formats = Format::value_variants().iter();
    let findings = formats
        .filter(|one| **one != Format::Summary)
        .filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new([causes].into_iter().chain(findings))
        .map(|word| Format::from_str(&word, false).ok())
}

/// The least severity of a message that makes the exit code 1.
pub const LOG_FAILS_ON: FailOn = FailOn::Error;
