//! Stages all files of a run in a separate folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::bases::{self, Bases, Frame};
use super::record::{FileRecord, WHOLE};
use super::staging::Staging;
use super::survey::{PlacedContent, Placing, PreviousFiles, Survey};
use super::write::{self, Durable};
use super::{EmitError, Emitted, Failed, ManifestEntry, OutputFile, Plan, Stamp, content};
use crate::files::Folder;
use crate::parallel;

/// A file that lies aside, whole.
pub(super) struct ReadyFile<'a> {
    /// The number that is its name there.
    pub(super) at: usize,
    /// The place of the file, and how it gets there.
    pub(super) placing: Placing<'a>,
    /// Its content's record.
    pub(super) record: FileRecord,
}

/// Make all that is to be written, aside, and the packs of the texts that change. Files that can't
/// be made stay what they were.
pub(super) fn stage<'a>(
    plan: &Plan,
    work: &mut Survey<'a>,
    known: &PreviousFiles,
    staging: &Staging,
    stamp: &Stamp<'_>,
    emitted: &mut Emitted,
) -> Result<Vec<ReadyFile<'a>>, EmitError> {
    let early = EmitError::early(&plan.output);
    let planned: BTreeMap<&Path, &OutputFile> = plan
        .files
        .iter()
        .map(|file| (file.path.as_path(), file))
        .collect();
    let mut packs: BTreeMap<u8, Pack<'a>> = (0..=u8::MAX)
        .map(|number| (number, Pack::default()))
        .collect();
    for (at, placing) in std::mem::take(&mut work.placings).into_iter().enumerate() {
        let pack = packs.entry(bases::number(&placing.path)).or_default();
        pack.placings.push((at, placing));
    }
    for (path, row) in std::mem::take(&mut work.rows) {
        let pack = packs.entry(bases::number(&path)).or_default();
        pack.rows.insert(path, row);
    }
    let bases = Bases::of(staging.root());
    let staged = parallel::map(packs, |(number, mut pack)| {
        let frames = pack.make(plan, known, staging.folder(), stamp);
        let text = |path: &Path| text_of(plan, planned.get(path)?);
        bases.stage(staging, number, &pack.hashes(), frames, text)?;
        Ok::<_, io::Error>(pack)
    });
    let mut all = Vec::new();
    let mut kept = Vec::new();
    for pack in staged {
        let pack = pack.map_err(early)?;
        work.rows.extend(pack.rows);
        all.extend(pack.ready);
        for (placing, error) in pack.failed {
            if write::is_fatal(&error) {
                return Err(EmitError::early(&placing.file.path)(error));
            }
            // A person's version under an old name stays there, and the next port has to know it.
            if let Some((old, _)) = &placing.from {
                kept.push(old.clone());
            }
            emitted.failed.push(Failed::new(placing.file, &error));
        }
    }
    for old in kept {
        keep_old_row(&mut work.rows, known, &old);
    }
    emitted.failed.sort_by(|a, b| a.path.cmp(&b.path));
    all.sort_by_key(|one| one.at);
    Ok(all)
}

/// The files whose texts lie in one pack.
#[derive(Default)]
struct Pack<'a> {
    /// The files that are to be made, with their numbers.
    placings: Vec<(usize, Placing<'a>)>,
    /// The rows of the manifest.
    rows: BTreeMap<PathBuf, ManifestEntry>,
    /// The files that lie aside.
    ready: Vec<ReadyFile<'a>>,
    /// The files that could not be made.
    failed: Vec<(Placing<'a>, io::Error)>,
}

impl Pack<'_> {
    /// Make the files in a folder. Returns the frames of the texts that were at hand.
    fn make(
        &mut self,
        plan: &Plan,
        known: &PreviousFiles,
        folder: &Folder,
        stamp: &Stamp<'_>,
    ) -> BTreeMap<PathBuf, Frame> {
        let mut frames = BTreeMap::new();
        for (at, placing) in std::mem::take(&mut self.placings) {
            let outcome = make(plan, &placing, folder, Path::new(&at.to_string()));
            stamp.progress.step();
            let (record, frame) = match outcome {
                Ok(made) => made,
                Err(error) => {
                    keep_old_row(&mut self.rows, known, &placing.path);
                    self.failed.push((placing, error));
                    continue;
                }
            };
            // The source may have changed since it was looked at.
            if let (PlacedContent::Planned, Some(row)) =
                (&placing.what, self.rows.get_mut(&placing.path))
            {
                row.follow(&record);
            }
            frames.extend(frame.map(|frame| (placing.path.clone(), frame)));
            self.ready.push(ReadyFile {
                at,
                placing,
                record,
            });
        }
        frames
    }

    /// The hashes of the files in the manifest.
    fn hashes(&self) -> BTreeMap<&Path, Hash> {
        let hashes = self.rows.iter();
        let hashes = hashes.filter_map(|(path, row)| match row.record()?.1 {
            FileRecord::File { hash, .. } => Some((path.as_path(), hash)),
            FileRecord::Link(_) => None,
        });
        hashes.collect()
    }
}

/// Make one file, with what it holds and the frame of the port's text, where that was at hand.
fn make(
    plan: &Plan,
    placing: &Placing<'_>,
    folder: &Folder,
    to: &Path,
) -> io::Result<(FileRecord, Option<Frame>)> {
    match &placing.what {
        PlacedContent::Planned => {
            let made = write::make(plan, placing.file, folder, to, placing.mode, Durable::Yes)?;
            let frame = made.frame();
            Ok((made.record, frame))
        }
        PlacedContent::Merged(bytes) => {
            write::text(folder, to, bytes, placing.mode, Durable::Yes)?;
            let hash = blake3::hash(bytes);
            let mode = placing.mode;
            Ok((FileRecord::File { hash, mode }, None))
        }
    }
}

/// The text, for the pack, of a file that is not written in this run; `None` if it is too large or can't be read.
/// Without it, a person's edits of the file can't be merged later.
fn text_of(plan: &Plan, file: &OutputFile) -> Option<Vec<u8>> {
    if let Some(source) = &file.source {
        let found = plan.input.join(source).symlink_metadata().ok()?;
        if found.len() > WHOLE {
            return None;
        }
    }
    content::bytes(plan, file).ok()
}

/// A file that could not be replaced is still what the last port made it.
pub(super) fn keep_old_row(
    rows: &mut BTreeMap<PathBuf, ManifestEntry>,
    known: &PreviousFiles,
    path: &Path,
) {
    rows.remove(path);
    if let Some(known) = known.get(path) {
        rows.insert(path.to_owned(), known.row.clone());
    }
}
