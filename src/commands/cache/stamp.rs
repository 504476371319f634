//! The stamp of a file: its times, size and hash, by which a later run sees whether the file changed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::emit::Manifest;
use crate::parallel;
use crate::walk::{Entry, EntryKind, Trace, Walk};
use crate::{emit, files};

/// How long a change after a write may leave no trace: clocks of file systems stand still for some milliseconds, and
/// those that count whole seconds for longer.
const TICK: Moment = 50_000_000;
const COARSE: Moment = 2_500_000_000;

/// A file or link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FileStamp {
    path: Vec<u8>,
    content: StampedContent,
    mode: u32,
    size: u64,
    trace: Trace,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum StampedContent {
    /// A file, with the hash of its bytes where that is known.
    File(Option<[u8; 32]>),
    /// A link, with its target.
    Link(Vec<u8>),
}

/// Whether a file is as it was.
pub(super) enum Freshness {
    /// The file is unchanged, by what the file system says.
    Unchanged,
    /// The file is unchanged by its bytes; the stamp is what the file system says now.
    Rehashed(FileStamp),
    /// The file is changed, or that is not known.
    Stale,
}

impl FileStamp {
    fn new(entry: &Entry, hash: Option<[u8; 32]>) -> Self {
        Self {
            path: entry.path.as_os_str().as_bytes().to_vec(),
            content: match &entry.kind {
                EntryKind::File => StampedContent::File(hash),
                EntryKind::Link(target) => {
                    StampedContent::Link(target.as_os_str().as_bytes().to_vec())
                }
            },
            mode: entry.mode,
            size: entry.size,
            trace: entry.trace,
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(OsStr::from_bytes(&self.path))
    }

    /// Whether the file below `root` is as it was when this stamp was made. The stamp was read from the file
    /// system at `at`, or a little later. `walk` has just looked at the file.
    pub(super) fn freshness(&self, root: &Path, at: Moment, walk: Option<&Walk>) -> Freshness {
        let path = self.path();
        let looked = walk.and_then(|walk| walk.get(&path)).cloned();
        let Some(entry) = looked.or_else(|| Entry::look(root, &path).ok().flatten()) else {
            return Freshness::Stale;
        };
        let now = Self::new(&entry, None);
        let hash = match (&self.content, &now.content) {
            (StampedContent::Link(old), StampedContent::Link(new)) if old == new => {
                return Freshness::Unchanged;
            }
            (StampedContent::File(hash), StampedContent::File(_)) => *hash,
            _ => return Freshness::Stale,
        };
        if (self.mode, self.size) != (now.mode, now.size) {
            return Freshness::Stale;
        }
        if self.trace == now.trace && shows_later_changes(now.trace, at) {
            return Freshness::Unchanged;
        }
        let is_same = hash.is_some() && hash_file(&root.join(path)).ok() == hash;
        if is_same {
            Freshness::Rehashed(Self {
                content: StampedContent::File(hash),
                ..now
            })
        } else {
            Freshness::Stale
        }
    }
}

/// Whether the times of a file are old enough that a change after `at` would show in them.
fn shows_later_changes(trace: Trace, at: Moment) -> bool {
    let moment =
        |(seconds, nanos): (i64, i64)| Moment::from(seconds) * 1_000_000_000 + Moment::from(nanos);
    let is_coarse = trace.modified.1 == 0 && trace.changed.1 == 0;
    let tick = if is_coarse { COARSE } else { TICK };
    moment(trace.modified).max(moment(trace.changed)) + tick < at
}

fn hash_file(path: &Path) -> io::Result<[u8; 32]> {
    Ok(files::open(path)?.hash()?.into())
}

/// The rows of what was read: `None` where a file changed meanwhile. What is written unlooked-at is
/// known by the manifest.
pub(super) fn of_inputs(
    root: &Path,
    files: &[(Entry, Option<[u8; 32]>)],
    manifest: &Manifest,
) -> Option<Vec<FileStamp>> {
    let written: BTreeMap<PathBuf, [u8; 32]> = manifest
        .files
        .iter()
        .filter_map(|row| Some((row.source.as_ref()?.to_path()?, row.source_hash()?.into())))
        .collect();
    let stamps = parallel::map(files, |(entry, hash)| {
        let now = Entry::look(root, &entry.path).ok().flatten()?;
        let written = written.get(&entry.path).copied();
        // Read as one thing and written as another: somebody was quicker than the clock.
        let differs = hash
            .zip(written)
            .is_some_and(|(read, written)| read != written);
        (now == *entry && !differs).then(|| FileStamp::new(entry, hash.or(written)))
    });
    stamps.into_iter().collect()
}

/// The rows of what was written, with what lies beside the manifest: `None` where one is not what
/// the manifest says.
pub(super) fn of_outputs(root: &Path, manifest: &Manifest) -> Option<Vec<FileStamp>> {
    let mut files: Vec<(PathBuf, Option<[u8; 32]>)> = Vec::new();
    for row in &manifest.files {
        files.push((row.path.to_path()?, row.hash().map(Into::into)));
    }
    for path in emit::state_files(root) {
        files.push((path, None));
    }
    let stamps = parallel::map(files, |(path, hash)| {
        let entry = Entry::look(root, &path).ok().flatten()?;
        if entry.kind != EntryKind::File {
            return Some(FileStamp::new(&entry, None));
        }
        let now = hash_file(&root.join(&path)).ok()?;
        hash.is_none_or(|hash| hash == now)
            .then(|| FileStamp::new(&entry, Some(now)))
    });
    stamps.into_iter().collect()
}

/// A moment, in nanoseconds since 1970.
pub(super) type Moment = i128;
