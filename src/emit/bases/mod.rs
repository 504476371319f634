//! The texts that the last port wrote, kept for the next: what tells a person's edits from the
//! port's own changes.
//!
//! They lie in `.torchada/bases/`, in at most 256 packs by the first byte of a hash of the path, those of the package for
//! run time in one. A pack is written again only where a text in it changed, and the frames of the others are copied, so
//! that a repository that keeps the packs grows by what a port changed.

mod pack;

pub(super) use pack::{Frame, is_text, number};

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::record::FileRecord;
use super::staging::Staging;
use super::sync;
use crate::files::Folder;
use crate::mapping::safety;
use crate::parallel;
use pack::Pack;

/// The folder of the packs in an output.
const BASES: &str = safety::BASES;
/// The prefix of the names of packs among the staged files.
const STAGED: &str = "bases-";

fn name(number: u8) -> String {
    format!("{number:02x}.pack")
}

/// The texts of an output's last port.
pub(super) struct Bases<'a> {
    root: &'a Folder,
}

fn place(number: u8) -> PathBuf {
    Path::new(BASES).join(name(number))
}

impl<'a> Bases<'a> {
    /// The bases of the output at `root`.
    pub(super) fn of(root: &'a Folder) -> Self {
        Self { root }
    }

    /// A pack; an empty one if the file is missing, damaged or too large, because an uncertain base must not be
    /// merged with.
    fn pack(&self, number: u8) -> Pack {
        let bytes = self.root.read(&place(number), safety::BYTES_PACK);
        bytes
            .ok()
            .and_then(|bytes| pack::read(&bytes))
            .unwrap_or_default()
    }

    /// The text of `path` that has this hash.
    pub(super) fn text(&self, path: &Path, record: &FileRecord) -> Option<Vec<u8>> {
        let FileRecord::File { hash, .. } = record else {
            return None;
        };
        let mut pack = self.pack(number(path));
        let frame = pack.remove(path).filter(|frame| frame.hash == *hash)?;
        frame.text()
    }

    /// Make the pack of these files aside, from the frames that are new and those that are kept.
    /// `make` gives the text of a file that has neither.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn stage(
        &self,
        staging: &Staging,
        number: u8,
        rows: &BTreeMap<&Path, Hash>,
        mut new: BTreeMap<PathBuf, Frame>,
        make: impl Fn(&Path) -> Option<Vec<u8>>,
    ) -> io::Result<()> {
        let mut old = self.pack(number);
        let mut pack = Pack::new();
        for (&path, hash) in rows {
            let kept = old.remove(path).filter(|frame| frame.hash == *hash);
            let new = new.remove(path).filter(|frame| frame.hash == *hash);
            let frame = match kept.or(new) {
                Some(frame) => Some(frame),
                None => match make(path) {
                    Some(text) => Some(blake3::hash(&text))
                        .filter(|made| made == hash)
                        .and_then(|hash| Frame::of(&text, hash)),
                    None => None,
                },
            };
            pack.extend(frame.map(|frame| (path.to_owned(), frame)));
        }
        let bytes = pack::bytes(&pack);
        let there = self.root.read(&place(number), safety::BYTES_PACK);
        let is_there = there.map_or(pack.is_empty(), |there| there == bytes);
        if is_there {
            return Ok(());
        }
        staging.put(&staged(number), &bytes)
    }

    /// Put the packs in place that were made aside, with each text that `rows` name: from the new
    /// pack or, where a file stayed old, from the one that was there.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn install(
        &self,
        staging: &Staging,
        rows: &BTreeMap<PathBuf, FileRecord>,
    ) -> io::Result<()> {
        let numbers: Vec<u8> = (0..=u8::MAX)
            .filter(|&number| staging.folder().has(Path::new(&staged(number))))
            .collect();
        let placed = parallel::map(numbers, |number| {
            let staged = staged(number);
            let bytes = staging
                .folder()
                .read(Path::new(&staged), safety::BYTES_PACK)?;
            let made = pack::read(&bytes).unwrap_or_default();
            let is_wanted = |path: &PathBuf, frame: &Frame| matches!(rows.get(path), Some(FileRecord::File { hash, .. }) if *hash == frame.hash);
            let mut pack = self.pack(number);
            let old = pack.len();
            pack.retain(|path, frame| is_wanted(path, frame));
            let are_kept = pack.len() == old;
            let made: Pack = made
                .into_iter()
                .filter(|(path, frame)| is_wanted(path, frame))
                .collect();
            if are_kept
                && made
                    .iter()
                    .all(|(path, frame)| pack.get(path) == Some(frame))
            {
                return Ok(());
            }
            pack.extend(made);
            let to = place(number);
            if pack.is_empty() {
                return self.root.remove(&to);
            }
            let mixed = format!("mixed-{}", name(number));
            staging.put(&mixed, &pack::bytes(&pack))?;
            // Nothing above it is made: an output that vanished does not come back in parts.
            self.root.make(Path::new(BASES))?;
            staging.folder().rename(Path::new(&mixed), self.root, &to)
        });
        placed.into_iter().collect::<io::Result<()>>()?;
        // Not before all are placed: while the last pack goes, another may come. One that holds a pack stays.
        let _ = self.root.remove_folder(Path::new(BASES));
        match sync::folder(self.root, Path::new(BASES)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}

fn staged(number: u8) -> String {
    format!("{STAGED}{}", name(number))
}

/// Write the pack of a new output.
///
/// # Errors
/// What the system says.
pub(super) fn fresh(
    root: &Folder,
    number: u8,
    frames: &BTreeMap<PathBuf, Frame>,
) -> io::Result<()> {
    if frames.is_empty() {
        return Ok(());
    }
    let place = place(number);
    let made = match root.create(&place) {
        // The first pack finds no folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            root.make(Path::new(BASES))?;
            root.create(&place)
        }
        made => made,
    };
    made?.write_all(&pack::bytes(frames))
}
