//! `torchada port`: its arguments.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::help;

/// The arguments of `torchada port`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::PORT_EXAMPLES)]
// Each is one switch of the command line; grouping them would only hide that.
#[allow(clippy::struct_excessive_bools)]
pub struct PortArgs {
    /// The tree, folder or file to translate; `-` reads one file from standard input
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// Where the result goes [default: NAME_musa beside PATH; for k.cu, k.mu; `-` is standard
    /// output, for a single file]
    #[arg(short, long, value_name = "OUT", help_heading = "Output", conflicts_with_all = ["in_place", "layout"])]
    pub output: Option<PathBuf>,

    /// Print a diff that `git apply` takes, and write nothing
    #[arg(long, help_heading = "Output")]
    pub diff: bool,

    /// Group the diff by rule and evidence, with counts and a few examples each
    #[arg(long, requires = "diff", help_heading = "Output")]
    pub by_rule: bool,

    /// Do everything but write: findings and summary only
    #[arg(long, conflicts_with = "diff", help_heading = "Output")]
    pub dry_run: bool,

    /// Change PATH itself; only in a clean git work tree, or with --force
    #[arg(long, help_heading = "Output")]
    pub in_place: bool,

    /// Let --in-place and --layout change files that git does not have safe
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Port the files of one folder of the tree into another beside it, and keep both; may be
    /// given several times
    #[arg(
        long,
        value_name = "FROM=TO",
        help_heading = "Output",
        conflicts_with = "in_place"
    )]
    pub layout: Vec<LayoutArg>,

    /// Also write the report (JSON) to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Say nothing but errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// The whole tree, where PATH is a part of it: so that includes and build files are followed
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub root: Option<PathBuf>,

    /// What the file on standard input is called; its ending says what language it is
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stdin_path: Option<PathBuf>,

    /// Take every file, whatever git tracks or ignore files say
    #[arg(long, help_heading = "Input")]
    pub no_ignore: bool,

    /// Rename .cu to .mu and .cuh to .muh? `auto` does where the build will take it
    #[arg(
        long,
        value_enum,
        value_name = "auto|always|never",
        hide_possible_values = true,
        help_heading = "Translation"
    )]
    pub rename: Option<Rename>,

    /// The weakest evidence on which a name is translated
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Translation")]
    pub min_evidence: Option<MinEvidence>,

    /// Also apply edits that may change what the program does
    #[arg(long = "unsafe", help_heading = "Translation")]
    pub unsafe_edits: bool,

    /// A table of your own, laid over the built-in ones; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Translation")]
    pub mapping: Vec<PathBuf>,

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
    #[arg(short, long, value_name = "N", help_heading = "Configuration")]
    pub jobs: Option<NonZeroUsize>,
}

/// Whether source files get MUSA's endings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Rename {
    /// Where the build recognises MUSA's endings only, and where no build file names the file
    #[default]
    Auto,
    /// Wherever every file that names it can be edited
    Always,
    /// Nowhere
    Never,
}

impl Rename {
    /// The word on the command line and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

/// The weakest evidence for a mapping that is still acted upon. Strongest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum MinEvidence {
    /// Public MUSA code declares or uses the name
    Confirmed,
    /// Somebody's table says so
    Table,
    /// Only the rule of its family says so
    Rule,
    /// There is evidence against it, too
    #[default]
    Contested,
}

/// One `--layout FROM=TO`: both relative to the tree's root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutArg {
    /// The folder with the CUDA files.
    pub from: PathBuf,
    /// The folder that gets the MUSA files.
    pub to: PathBuf,
}

impl FromStr for LayoutArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((from, to)) if !from.is_empty() && !to.is_empty() => Ok(Self {
                from: PathBuf::from(from),
                to: PathBuf::from(to),
            }),
            _ => Err("expected FROM=TO, such as csrc/cuda=csrc/musa".to_owned()),
        }
    }
}
