//! The inputs and results of these decisions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::diagnostic::Finding;
use crate::emit::record::FileRecord;
use crate::emit::{EditCounts, Failed, Manifest, ManifestEntry, OutputFile};

/// Whether the output folder is the program's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::emit) enum OutputKind {
    /// The program's own output.
    Own,
    /// The input itself, which the program adds to.
    Shared,
}

/// One file that was written by the last port, or counts as such.
pub(in crate::emit) struct PreviousFile {
    /// The record of the file that the port wrote.
    pub(in crate::emit) record: FileRecord,
    /// The row of the manifest.
    pub(in crate::emit) row: ManifestEntry,
}

/// The files of the last port, by path.
pub(in crate::emit) type PreviousFiles = BTreeMap<PathBuf, PreviousFile>;

/// The files that a manifest lists.
pub(in crate::emit) fn previous_files(manifest: &Manifest) -> PreviousFiles {
    let rows = manifest.files.iter();
    rows.filter_map(|row| {
        let (path, record) = row.record()?;
        let row = row.clone();
        Some((path, PreviousFile { record, row }))
    })
    .collect()
}

/// The content of a file that is put in place.
pub(in crate::emit) enum PlacedContent {
    /// The plan's content.
    Planned,
    /// These bytes: the port's and the person's together.
    Merged(Vec<u8>),
}

/// One file that is to be put in place.
pub(in crate::emit) struct Placing<'a> {
    /// The planned file.
    pub(in crate::emit) file: &'a OutputFile,
    /// The path of the file in the output, which may be beside the file's own.
    pub(in crate::emit) path: PathBuf,
    /// Its content.
    pub(in crate::emit) what: PlacedContent,
    /// Its permission bits, where they are not just the port's.
    pub(in crate::emit) mode: Option<u32>,
    /// The file of another name that it comes from, with what that holds now.
    pub(in crate::emit) from: Option<(PathBuf, FileRecord)>,
    /// Whether something is there already.
    pub(in crate::emit) replaces: bool,
}

/// The decisions about all files, made before anything is written.
#[derive(Default)]
pub(in crate::emit) struct Survey<'a> {
    /// The manifest's rows for the next run: the port's own version of each file, whatever a person
    /// made of it.
    pub(in crate::emit) rows: BTreeMap<PathBuf, ManifestEntry>,
    /// The files to be put in place.
    pub(in crate::emit) placings: Vec<Placing<'a>>,
    /// Files that have the right bytes and the wrong mode: the mode that they have and the one
    /// that they get.
    pub(in crate::emit) modes: Vec<(&'a OutputFile, u32, u32)>,
    /// Files that stand where the plan wants a folder, or the other way round.
    pub(in crate::emit) clear: Vec<(PathBuf, FileRecord)>,
    /// Other files that the plan no longer has.
    pub(in crate::emit) remove: Vec<(PathBuf, FileRecord)>,
    /// Files whose source can't be read; what the last port made of them stays.
    pub(in crate::emit) failed: Vec<Failed>,
    /// Files of a person's that the program can't keep: it does not know what they changed, or
    /// they stand in the way.
    pub(in crate::emit) refused: Vec<PathBuf>,
    /// Files of the plan behind a link or a file.
    pub(in crate::emit) blocked: Vec<&'a OutputFile>,
    /// Files in which a person and the port disagree, where that stops a run.
    pub(in crate::emit) disputed: Vec<PathBuf>,
    /// Counts of a person's edits: kept, merged, in conflict.
    pub(in crate::emit) edits: EditCounts,
    /// The files whose edits are kept or merged.
    pub(in crate::emit) edited: Vec<PathBuf>,
    /// Findings for the person about the output.
    pub(in crate::emit) findings: Vec<Finding>,
    /// The number of files that need no change.
    pub(in crate::emit) same: usize,
}
