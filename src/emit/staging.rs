//! Where files lie until they are whole: a folder that one run has for itself.
//!
//! Its place follows from the output's alone, so that a run finds what one before it left, and the
//! lock says whether that run is still at work. A tree may bring a folder of that name, with whatever in
//! it: nothing that lies there is used unless this user's journal has its hash.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::manifest::{STAGED, STATE_DIR};
use super::{EmitError, sync};
use crate::files::{Folder, Found};

/// What the names of files and folders begin with until they are whole.
const TEMPORARY: &str = ".torchada-tmp-";

/// How often a lock is tried on a folder that another run removes in the same moment.
const ATTEMPTS: usize = 8;

/// A folder for what is not whole yet. It goes when this is dropped, unless it is kept.
pub(super) struct Staging {
    /// The folder that all else is below: the output's parent, or the output.
    root: Folder,
    /// Where the staging folder is, relative to that.
    place: PathBuf,
    folder: Folder,
    /// The folder above it, where this program made that, too, and it goes when it is empty.
    above: Option<&'static Path>,
    is_kept: bool,
    /// Held for as long as the run writes; the system lets go of it when the process ends.
    _lock: File,
}

impl Staging {
    /// The folder beside an output that is to be built, empty. `parent` is the output's.
    ///
    /// # Errors
    /// [`EmitError::Busy`], or [`EmitError::Parent`].
    pub(super) fn beside(parent: Folder, output: &Path) -> Result<Self, EmitError> {
        let place = beside(Path::new(output.file_name().unwrap_or_default()));
        let taken = Self::take(parent, place, None)?;
        taken.clear()?;
        Ok(taken)
    }

    /// The folder in an output that is there. What an unfinished run left in it stays until
    /// [`Staging::clear`].
    ///
    /// # Errors
    /// [`EmitError::Busy`], [`EmitError::Unsafe`] where the program's own folder is a link, or
    /// [`EmitError::Parent`].
    pub(super) fn inside(root: Folder) -> Result<Self, EmitError> {
        let state = Path::new(STATE_DIR);
        root.make(state).map_err(|error| match error.kind() {
            ErrorKind::NotADirectory => EmitError::Unsafe {
                path: root.path().join(state),
                reason: "it is no folder of the output itself",
            },
            _ => parent(&root.path().join(state))(error),
        })?;
        Self::take(root, STAGED.into(), Some(state))
    }

    fn take(root: Folder, place: PathBuf, above: Option<&'static Path>) -> Result<Self, EmitError> {
        let (folder, lock) = lock(&root, &place)?;
        Ok(Self {
            root,
            place,
            folder,
            above,
            is_kept: false,
            _lock: lock,
        })
    }

    /// The folder that the staging folder was asked for in: the output's parent, or the output.
    pub(super) fn root(&self) -> &Folder {
        &self.root
    }

    /// The staging folder.
    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Write a file into the folder, through to the disk.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.folder.remove(Path::new(name))?;
        let mut file = self.folder.create(Path::new(name))?;
        file.write_all(bytes)?;
        sync::file(&file)
    }

    /// Remove what lies in the folder.
    ///
    /// # Errors
    /// [`EmitError::Parent`].
    pub(super) fn clear(&self) -> Result<(), EmitError> {
        self.folder.clear().map_err(parent(self.folder.path()))
    }

    /// Let the folder stay when the run ends early: the next one needs what is in it.
    pub(super) fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Nothing in the folder is needed any more: it goes with the run.
    pub(super) fn forget(&mut self) {
        self.is_kept = false;
    }

    /// The work is done: remove the folder.
    pub(super) fn release(mut self) {
        self.forget();
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // The next run removes what can't be removed now.
        let _ = self.folder.clear();
        let _ = self.root.remove_folder(&self.place);
        if let Some(above) = self.above {
            let _ = self.root.remove_folder(above);
        }
    }
}

/// Remove what runs that were cut short left beside an output, or in it, where nothing of it is
/// needed any more.
///
/// # Errors
/// [`EmitError::Busy`] while another run is at work, or [`EmitError::Parent`].
pub(super) fn sweep(output: &Path) -> Result<(), EmitError> {
    // What is not there has nothing to be removed in it.
    if let Some(Ok(folder)) = output.parent().map(Folder::open) {
        let near = beside(Path::new(output.file_name().unwrap_or_default()));
        if is_folder(&folder, &near) {
            drop(Staging::beside(folder, output)?);
        }
    }
    let Ok(root) = Folder::open(output) else {
        return Ok(());
    };
    let again = || Folder::open(output).map_err(parent(output));
    if is_folder(&root, Path::new(STAGED)) {
        let staging = Staging::inside(again()?)?;
        staging.clear()?;
    }
    // The folder above it is the program's own, too, and goes where nothing is in it.
    let state = Path::new(STATE_DIR);
    let is_empty = root
        .folder(state)
        .and_then(|folder| folder.entries())
        .is_ok_and(|entries| entries.is_empty());
    if is_empty {
        root.remove_folder(state).map_err(parent(output))?;
    }
    Ok(())
}

/// Whether it is a folder itself, and no link to one.
fn is_folder(root: &Folder, path: &Path) -> bool {
    matches!(root.look(path), Ok(Found::Folder))
}

/// The temporary name beside `path` that belongs to it alone. It is short, whatever the name is.
pub(super) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let hash = blake3::hash(name.as_encoded_bytes()).to_hex();
    let mut own = OsString::from(TEMPORARY);
    own.push(hash.get(..16).unwrap_or_default());
    path.with_file_name(own)
}

/// Make a folder where it is missing, and take it for this run alone.
fn lock(root: &Folder, place: &Path) -> Result<(Folder, File), EmitError> {
    let full = root.path().join(place);
    let failed = parent(full.parent().unwrap_or(&full));
    for _ in 0..ATTEMPTS {
        root.make_private(place)
            .map_err(|error| match error.kind() {
                ErrorKind::NotADirectory => EmitError::Unsafe {
                    path: full.clone(),
                    reason: "it is no folder",
                },
                _ => failed(error),
            })?;
        let folder = match root.folder(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found.map_err(&failed)?,
        };
        let file = folder.as_file().map_err(&failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(EmitError::Busy(full.clone())),
            // Some network file systems have no locks; nothing else is lost without them.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The run before may have removed the very folder that was opened.
        let now = root.folder(place).and_then(|now| now.identity());
        let own = folder.identity().map_err(&failed)?;
        if now.is_ok_and(|now| now == own) {
            // A tree may bring a folder of this name that everybody can write to.
            folder.keep_private().map_err(&failed)?;
            return Ok((folder, file));
        }
    }
    Err(EmitError::Busy(full.clone()))
}

pub(super) fn parent(folder: &Path) -> impl Fn(io::Error) -> EmitError {
    move |source| EmitError::Parent {
        path: folder.to_owned(),
        source,
    }
}

/// Write a file of the program's own by way of the staging folder, so that it is there whole or
/// not at all, after a power cut too. One that holds these bytes already is not touched.
///
/// # Errors
/// What the system says.
pub(super) fn put_state(staging: &Staging, name: &str, bytes: &[u8]) -> io::Result<()> {
    let root = staging.root();
    let to = Path::new(name);
    let is_there = root.read(to, bytes.len() as u64);
    if is_there.is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    staging.put("state", bytes)?;
    staging.folder().rename(Path::new("state"), root, to)?;
    sync::folder(root, Path::new(STATE_DIR))
}
