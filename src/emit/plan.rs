//! The plan of a write, and its result.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use blake3::Hash;

use crate::config::OnConflict;
use crate::diagnostic::Finding;
use crate::edit;
use crate::progress::Progress;

/// One file of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFile {
    /// The source of the file, relative to the input's root; `None` for a file that the port adds.
    pub source: Option<PathBuf>,
    /// The path of the file, relative to the output's root.
    pub path: PathBuf,
    /// The content of the file.
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
    /// What happens if a person's edit and the port changed the same lines.
    pub on_conflict: OnConflict,
    /// Files and folders of the input that can't be read, and submodules that are not checked out, relative to its root:
    /// what the last port made of them stays.
    pub unread: Vec<PathBuf>,
}

/// Writes the report of what became of the output.
pub type WriteReport<'a> = dyn Fn(&Emitted, &mut dyn Write) -> io::Result<()> + Sync + 'a;

/// The manifest's data about the run, and the writer of the report.
#[derive(Clone, Copy)]
pub struct Stamp<'a> {
    /// The version of the mapping tables.
    pub tables: &'a str,
    /// The settings that decide what a port writes (`rename`, `layout`, …), by name.
    pub settings: &'a BTreeMap<String, String>,
    /// Writes the report once it is known which files failed; `None` for no report.
    pub report: Option<&'a WriteReport<'a>>,
    /// The bytes of the map of the port's edits; `None` for no map.
    pub map: Option<&'a [u8]>,
    /// Counts each file that is written.
    pub progress: &'a dyn Progress,
}

/// Counts of the edits that a person made since the last port.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EditCounts {
    /// Files that stay as the person left them, because the port has nothing new for them.
    pub kept: usize,
    /// Files that have the person's edits and the port's changes.
    pub merged: usize,
    /// Files in which the two disagree, or did in an earlier run and do still.
    pub conflicts: usize,
    /// Files that the person removed, and that the port has put back.
    pub restored: usize,
}

impl EditCounts {
    /// Files with edits in all; one that is back has none.
    pub fn all(self) -> usize {
        self.kept + self.merged + self.conflicts
    }
}

/// The result of a write.
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
    /// Counts of a person's edits.
    pub edits: EditCounts,
    /// Findings about the output itself.
    pub findings: Vec<Finding>,
}

/// One file that could not be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The path in the output, relative to its root.
    pub path: PathBuf,
    /// The path in the input, relative to its root; `None` for a file that the port adds.
    pub source: Option<PathBuf>,
    /// What the system says.
    pub message: String,
}

impl Failed {
    /// The failure of `file`.
    pub(super) fn new(file: &OutputFile, error: &io::Error) -> Self {
        Self {
            path: file.path.clone(),
            source: file.source.clone(),
            message: error.to_string(),
        }
    }

    /// The failure of `file`, which is made and can't be put in its place.
    pub(super) fn in_output(file: &OutputFile, error: &io::Error) -> Self {
        let path = crate::config::display_path(&file.path);
        Self {
            message: format!("the output's `{path}` can't be written: {error}"),
            ..Self::new(file, error)
        }
    }
}

/// The content of one output file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The bytes and the mode of the source, unchanged.
    Copy,
    /// The source with edits; the mode is the source's.
    Edited(Edited),
    /// These bytes; the mode is the source's, where there is one.
    Text(Vec<u8>),
    /// A symbolic link with this target, as it is to be written.
    Link(PathBuf),
}

/// Edits to a source, which is read again when they are applied: so no run keeps all its texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    edits: edit::Edits,
    pub(super) source: Hash,
    result: Hash,
}

impl Edited {
    /// Edits to `source`, whose hash may be known.
    pub fn new(edits: edit::Edits, source: &[u8], hash: Option<Hash>) -> Self {
        Self {
            source: hash.unwrap_or_else(|| blake3::hash(source)),
            result: blake3::hash(&edits.apply(source).text),
            edits,
        }
    }

    /// The hash of the bytes that come of it.
    pub(super) fn result(&self) -> Hash {
        self.result
    }

    /// Apply the edits.
    ///
    /// # Errors
    /// Where `source` is not what the edits were made for.
    pub fn apply(&self, source: &[u8]) -> io::Result<Vec<u8>> {
        if blake3::hash(source) != self.source {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the source was changed while it was ported; port again",
            ));
        }
        Ok(self.edits.apply(source).text)
    }
}
