//! `torchada check`: its arguments.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{CodeFilter, PortArgs, SharedArgs, help};

/// The arguments of `torchada check`.
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = help::CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Trees, folders and files to look at; `-` reads one file from standard input [default: the
    /// configuration's `paths`, else the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How findings are shown
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Findings"
    )]
    pub format: Format,

    /// Which findings are shown.
    #[command(flatten, next_help_heading = "Findings")]
    pub codes: CodeFilter,

    /// The least severity that makes the exit code 1
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "error|warning|note|never",
        hide_possible_values = true,
        help_heading = "Findings"
    )]
    pub fail_on: FailOn,

    /// Show only findings on lines that changed since the work tree branched off from this git revision
    #[arg(long, value_name = "REV", help_heading = "Findings")]
    pub since: Option<String>,

    /// Leave out the findings that FILE lists, even if their lines have moved
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub baseline: Option<PathBuf>,

    /// Write the current findings to the baseline; states and notes that people wrote there stay
    #[arg(
        long,
        requires = "baseline",
        conflicts_with_all = ["select", "ignore", "since"],
        help_heading = "Findings"
    )]
    pub update_baseline: bool,

    /// Print nothing: the exit code is the result
    #[arg(short, long, help_heading = "Findings")]
    pub quiet: bool,

    /// Print the packages for NVIDIA's GPUs that Python asks for, in place of the findings: what MUSA has
    /// in their place, how they are imported, whether a start needs them, which modules fall away
    #[arg(long, help_heading = "Findings")]
    pub packages: bool,

    /// What to read, how to translate it, and which configuration holds.
    #[command(flatten)]
    pub shared: SharedArgs,
}

impl CheckArgs {
    /// The port of `path`, one of [`CheckArgs::paths`], whose findings the check shows.
    pub fn port(&self, path: &Path) -> PortArgs {
        PortArgs::dry(path.to_owned(), self.quiet, self.shared.clone())
    }
}

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// Each finding with its source, then a summary
    #[default]
    Full,
    /// One line for each finding
    Concise,
    /// The summary alone
    Summary,
    /// A report, as a port writes it
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

/// From which severity on findings are a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Errors and warnings.
    Warning,
    /// Any finding.
    Note,
    /// None.
    Never,
}
