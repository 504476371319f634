//! Arguments of the commands that write a port.

use std::path::PathBuf;

use clap::Args;

use super::choice::{Choice, Choices, choice};

/// Options about what a run writes, and what it reports.
#[derive(Clone, Debug, Default, Args)]
pub struct WriteArgs {
    /// Write nothing: exit with 1 and print a diff if a port made now would change OUT, as
    /// `cargo fmt --check` does
    #[arg(long, conflicts_with = "report", help_heading = "Output")]
    pub check: bool,

    /// If your edit of OUT and the new port changed the same lines: `mark` both in the file, take
    /// `ours` (your edit) or `theirs` (the port), or `stop` before anything is written [default: mark]
    #[arg(
        long,
        value_parser = choice::<OnConflict>(),
        value_name = "WHAT",
        help_heading = "Output",
        hide_possible_values = true
    )]
    pub on_conflict: Option<OnConflict>,

    /// Leave out the Python package for run time, `torchada/`
    #[arg(long, help_heading = "Output")]
    pub no_stub: bool,

    /// Also write the report (JSON) to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Print nothing but errors; with --check, print nothing
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// What happens if a person's edit of the output and the new port changed the same lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnConflict {
    /// Both sides are in the file, between marks
    #[default]
    Mark,
    /// The person's side stays
    Ours,
    /// The port's side is taken
    Theirs,
    /// Nothing is written
    Stop,
}

impl Choice for OnConflict {
    const ALL: Choices<Self> = &[
        (
            Self::Mark,
            "mark",
            "Both sides are in the file, between marks",
        ),
        (Self::Ours, "ours", "The person's side stays"),
        (Self::Theirs, "theirs", "The port's side is taken"),
        (Self::Stop, "stop", "Nothing is written"),
    ];
}
