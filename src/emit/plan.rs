//! What is to be written, and what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Content, Failed};
use crate::config::OnConflict;
use crate::diagnostic::Finding;
use crate::progress::Progress;

/// One file of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFile {
    /// Where it comes from, relative to the input's root; `None` for a file that the port adds.
    pub source: Option<PathBuf>,
    /// Where it goes, relative to the output's root.
    pub path: PathBuf,
    /// What it holds.
    pub content: Content,
}

/// The whole output of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The input's root, absolute.
    pub input: PathBuf,
    /// The output's root, absolute.
    pub output: PathBuf,
    /// The files, in any order.
    pub files: Vec<OutputFile>,
    /// What happens where a person's edit and the port disagree.
    pub on_conflict: OnConflict,
}

/// Makes the report's bytes from what became of the output.
pub type ReportBytes<'a> = dyn Fn(&Emitted) -> Vec<u8> + Sync + 'a;

/// What the manifest says of the run, and how the report comes to lie beside it.
#[derive(Clone, Copy)]
pub struct Stamp<'a> {
    /// The version of the mapping tables.
    pub tables: &'a str,
    /// The settings that decide what is written (`rename`, `layout`, …), by name.
    pub settings: &'a BTreeMap<String, String>,
    /// Makes the report's bytes once it is known which files failed; `None` for no report.
    pub report: Option<&'a ReportBytes<'a>>,
    /// Who is told of each file that is written.
    pub progress: &'a dyn Progress,
}

/// What became of the edits that a person made since the last port.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// Files that stay as the person left them, because the port has nothing new for them.
    pub kept: usize,
    /// Files that have the person's edits and the port's changes.
    pub merged: usize,
    /// Files in which the two disagree, or did in an earlier run and do still.
    pub conflicts: usize,
}

impl Edits {
    /// Files with edits in all.
    pub fn all(self) -> usize {
        self.kept + self.merged + self.conflicts
    }
}

/// What a write came to.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// Files and links that were written.
    pub written: usize,
    /// Files and links that were there already with the same content and mode.
    pub unchanged: usize,
    /// Files of the last port that are gone from the output, relative to its root.
    pub removed: Vec<PathBuf>,
    /// Files that could not be written, each with the reason; the others are there.
    pub failed: Vec<Failed>,
    /// What became of a person's edits.
    pub edits: Edits,
    /// What the user should know of the output itself.
    pub findings: Vec<Finding>,
}
