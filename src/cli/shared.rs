//! Arguments of every command that reads sources.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::choice::{Choice, Choices, choice};
use crate::mapping::{Dialect, Evidence, Rename};

/// What to read, how to translate it, and which configuration holds.
#[derive(Clone, Debug, Default, Args)]
// Switches of the command line, each by its own name.
#[allow(clippy::struct_excessive_bools)]
pub struct SharedArgs {
    /// The whole tree, if PATH is a part of it: includes and build files outside of PATH are then followed
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub root: Option<PathBuf>,

    /// The name of the file on standard input; its ending decides its language
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stdin_path: Option<PathBuf>,

    /// Take every file, even if git does not track it or an ignore file excludes it
    #[arg(long, help_heading = "Input")]
    pub no_ignore: bool,

    /// Rename .cu to .mu and .cuh to .muh? `auto` renames a file if the build will find it
    #[arg(
        long,
        value_parser = choice::<Rename>(),
        value_name = "auto|always|never",
        hide_possible_values = true,
        help_heading = "Translation"
    )]
    pub rename: Option<Rename>,

    /// The weakest evidence on which a name is translated
    #[arg(long, value_parser = choice::<Evidence>(), value_name = "LEVEL", help_heading = "Translation")]
    pub min_evidence: Option<Evidence>,

    /// Also apply edits that may change what the program does
    #[arg(long = "unsafe", help_heading = "Translation")]
    pub unsafe_edits: bool,

    /// The names that Python is written in: MUSA's, or CUDA's, which `import torchada` translates; C++ then stays
    /// CUDA's, too, for the build to port [default: musa]
    #[arg(
        long,
        value_parser = choice::<Dialect>(),
        value_name = "musa|portable",
        hide_possible_values = true,
        help_heading = "Translation"
    )]
    pub dialect: Option<Dialect>,

    /// What becomes of inline PTX: it stays, it is translated, or what MUSA does only with more work is
    /// translated, too [default: translate]
    #[arg(
        long,
        value_parser = choice::<InlinePtx>(),
        value_name = "keep|translate|emulate",
        hide_possible_values = true,
        help_heading = "Translation"
    )]
    pub ptx: Option<InlinePtx>,

    /// Port also what builds for MUSA already in a way of its own
    #[arg(long, help_heading = "Translation")]
    pub even_so: bool,

    /// A table of your own, laid over the built-in ones; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Translation")]
    pub mapping: Vec<PathBuf>,

    /// A facts file, as `torchada learn` writes it: what the SDK has that the port is for [default: the
    /// facts of the SDK on this machine, where they are known]
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_facts",
        help_heading = "Translation"
    )]
    pub facts: Option<PathBuf>,

    /// Use no facts, whatever SDK is on this machine
    #[arg(long, help_heading = "Translation")]
    pub no_facts: bool,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// A GPU generation that the port is for, such as mp_31: hazards of the others are left out;
    /// may be given several times [default: all]
    #[arg(long, value_name = "TARGET", help_heading = "Translation")]
    pub target: Vec<String>,

    /// The MUSA SDK that the port is for, such as 4.2.0: what came later counts as missing
    #[arg(long, value_name = "VERSION", help_heading = "Translation")]
    pub sdk: Option<String>,

    /// The CUDA release that conditions on CUDA's version are decided for, such as 12.4; `off` leaves
    /// them as they are [default: the release that the project itself names]
    #[arg(long, value_name = "VERSION|off", help_heading = "Translation")]
    pub cuda_version: Option<String>,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// The torch_musa release that the port is for, such as 2.0.0: what came later counts as
    /// missing
    #[arg(long, value_name = "VERSION", help_heading = "Translation")]
    pub torch_musa: Option<String>,

    /// Count findings in C++ that no build for MUSA compiles like all others
    #[arg(long, help_heading = "Translation")]
    pub all_code: bool,

    /// Use this configuration file instead of looking for one
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        help_heading = "Configuration"
    )]
    pub config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, help_heading = "Configuration")]
    pub no_config: bool,

    /// How many files are done at once [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = jobs, help_heading = "Configuration")]
    pub jobs: Option<NonZeroUsize>,

    /// How results are checked: `needed` parses the files that an edit may have broken, `full` parses
    /// every file that changes, and reads Python with the grammar alone; the results are the same
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true,
        value_name = "needed|full",
        help_heading = "Configuration"
    )]
    pub verify: Verify,

    /// Say on standard error where the run's time went: in its phases, and rule by rule
    #[arg(long, help_heading = "Configuration")]
    pub timings: bool,

    /// Show a progress bar: `auto` after half a second, `now` from the start. A bar is only ever shown
    /// on a terminal [default: auto]
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true,
        value_name = "auto|now|never",
        help_heading = "Configuration"
    )]
    pub progress: ProgressWhen,
}

/// How much is parsed to check a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Verify {
    /// What an edit may have broken.
    #[default]
    Needed,
    /// Everything that changes.
    Full,
}

/// When a bar shows how far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ProgressWhen {
    /// After half a second.
    #[default]
    Auto,
    /// From the start.
    Now,
    /// Never.
    Never,
}

/// What becomes of inline PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InlinePtx {
    /// It stays, with its findings
    Keep,
    /// It becomes C++ where MUSA has what it does
    #[default]
    Translate,
    /// It becomes C++ also where that takes much more work than the instruction
    Emulate,
}

impl Choice for InlinePtx {
    const ALL: Choices<Self> = &[
        (Self::Keep, "keep", "It stays, with its findings"),
        (
            Self::Translate,
            "translate",
            "It becomes C++ where MUSA has what it does",
        ),
        (
            Self::Emulate,
            "emulate",
            "It becomes C++ also where that takes much more work than the instruction",
        ),
    ];
}

/// A number of files that are done at once.
fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "a whole number from 1 up is wanted".to_owned())
}

/// Which findings are shown, by their codes.
#[derive(Clone, Debug, Default, Args)]
pub struct CodeFilter {
    /// Show only what has one of these codes, or a code that starts so: CPP002, CPP01, PRJ; may be given several times
    #[arg(long, value_name = "CODE", value_parser = code(), value_delimiter = ',')]
    pub select: Vec<String>,

    /// Leave out what has one of these codes, or a code that starts so; takes precedence over --select
    #[arg(long, value_name = "CODE", value_parser = code(), value_delimiter = ',')]
    pub ignore: Vec<String>,
}

impl CodeFilter {
    /// Whether what has a code is shown.
    pub fn shows(&self, code: &str) -> bool {
        let is_one_of = |fronts: &[String]| fronts.iter().any(|front| code.starts_with(&**front));
        (self.select.is_empty() || is_one_of(&self.select)) && !is_one_of(&self.ignore)
    }
}

/// A code of findings, or what codes start with, in any case.
fn code() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| text.to_ascii_uppercase())
}
