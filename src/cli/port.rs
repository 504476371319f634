//! `torchada port`: its arguments.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::{SharedArgs, WriteArgs, help};

/// The arguments of `torchada port`.
#[derive(Clone, Debug, Default, Args)]
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
    #[arg(long, help_heading = "Output", conflicts_with = "check")]
    pub diff: bool,

    /// Group the diff by rule and evidence, with counts and a few examples each
    #[arg(long, requires = "diff", help_heading = "Output")]
    pub by_rule: bool,

    /// With --check, also fail if somebody edited the port
    #[arg(long, requires = "check", help_heading = "Output")]
    pub strict: bool,

    /// Do everything but write: findings and summary only
    #[arg(long, conflicts_with_all = ["diff", "check"], help_heading = "Output")]
    pub dry_run: bool,

    /// Port again whenever something of PATH changes, until Ctrl-C, and say what that comes to
    #[arg(
        long,
        help_heading = "Output",
        conflicts_with_all = ["diff", "check", "dry_run", "in_place", "layout"]
    )]
    pub watch: bool,

    /// Change PATH itself; only in a clean git work tree, or with --force
    #[arg(long, conflicts_with_all = ["check", "on_conflict"], help_heading = "Output")]
    pub in_place: bool,

    /// Let --in-place and --layout change files that are not committed in git, and let OUT be replaced where it is the
    /// port of another tree
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

    /// Translate everything anew, and leave no cache in OUT for the next run
    #[arg(long, help_heading = "Output")]
    pub no_cache: bool,

    /// Options about what the run writes, and what it reports.
    #[command(flatten)]
    pub write: WriteArgs,

    /// What to read, how to translate it, and which configuration holds.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl PortArgs {
    /// The port of `path` that writes nothing.
    pub(super) fn dry(path: PathBuf, quiet: bool, shared: SharedArgs) -> Self {
        Self {
            path,
            dry_run: true,
            write: WriteArgs {
                quiet,
                ..WriteArgs::default()
            },
            shared,
            ..Self::default()
        }
    }
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
