//! The staging folder: files lie there until they are complete.
//!
//! Its name follows from the output's place and this user's key, so that a run finds what one before it left,
//! and a tree can't bring a folder of that name along. A lock says whether the run before is still at work.

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::manifest::{STAGED, STATE_DIR};
use super::{EmitError, sync};
use crate::files::{Folder, OwnState, PathKind};
use crate::mapping::safety::TEMPORARY;

/// How often a lock is tried on a folder that another run removes in the same moment, and how long the run waits
/// where somebody has the lock.
const ATTEMPTS: usize = 8;
const PAUSE: Duration = Duration::from_millis(20);

/// A folder for files that are not complete yet. It is removed when this value is dropped, unless [`Staging::keep`]
/// was called.
pub(super) struct Staging {
    /// The folder that contains both the staging folder and the output: the output's parent, or the output.
    root: Folder,
    /// The staging folder, relative to the folder that it lies in.
    place: PathBuf,
    folder: Folder,
    /// The folder above it, where this program made that, too, and it goes when it is empty.
    above: Option<&'static Path>,
    is_kept: bool,
    /// The open file keeps the output locked for as long as the run writes. The system unlocks it when the process ends.
    _lock: File,
}

impl Staging {
    /// The folder beside an output that is to be built, empty. `parent` is the output's.
    ///
    /// # Errors
    /// [`EmitError::Busy`], or [`EmitError::Parent`].
    pub(super) fn beside(parent: Folder, output: &Path) -> Result<Self, EmitError> {
        let place = staging_name(output);
        let (folder, lock) = lock(&parent, &place, Folder::make_private)?;
        let taken = Self::of(parent, place, folder, lock, None)?;
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
        let (_, lock) = lock(&root, state, Folder::make)?;
        let place = inside(root.path());
        root.make_private(&place)
            .map_err(parent(&root.path().join(state)))?;
        let folder = root.folder(&place);
        let folder = folder.map_err(parent(&root.path().join(&place)))?;
        Self::of(root, place, folder, lock, Some(state))
    }

    fn of(
        root: Folder,
        place: PathBuf,
        folder: Folder,
        lock: File,
        above: Option<&'static Path>,
    ) -> Result<Self, EmitError> {
        folder.keep_private().map_err(parent(folder.path()))?;
        Ok(Self {
            root,
            place,
            folder,
            above,
            is_kept: false,
            _lock: lock,
        })
    }

    /// The folder that the staging folder lies in: the output's parent, or the output.
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

    /// Let the folder stay when the run ends early, because the next run needs its files.
    pub(super) fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Let the folder go with the run: nothing in it is needed any more.
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
    if let Some(Ok(folder)) = output.parent().map(Folder::open)
        && is_folder(&folder, &staging_name(output))
    {
        drop(Staging::beside(folder, output)?);
    }
    let Ok(root) = Folder::open(output) else {
        return Ok(());
    };
    if is_folder(&root, &inside(output)) {
        let again = Folder::open(output).map_err(parent(output))?;
        Staging::inside(again)?.clear()?;
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
    matches!(root.look(path), Ok(PathKind::Folder))
}

/// The temporary name beside `path` that belongs to it alone. It is short, whatever the name is.
pub(super) fn temporary_name(path: &Path) -> PathBuf {
    path.with_file_name(format!("{TEMPORARY}{}", own_name(path)))
}

/// The name of the staging folder beside an output.
fn staging_name(output: &Path) -> PathBuf {
    format!("{TEMPORARY}{}", own_name(output)).into()
}

/// The path of the staging folder in an output, relative to its root.
fn inside(output: &Path) -> PathBuf {
    Path::new(STATE_DIR).join(format!("{STAGED}{}", own_name(output)))
}

/// A name that this user's runs give what belongs to a path, and nobody else's.
fn own_name(path: &Path) -> String {
    let seal = OwnState::open().and_then(|state| state.seal());
    // Where no key can be kept, whatever lies there is cleared before it is used.
    let hash = |_| {
        blake3::hash(path.as_os_str().as_encoded_bytes())
            .to_hex()
            .chars()
            .take(16)
            .collect()
    };
    seal.map_or_else(hash, |seal| seal.name(path))
}

/// Make a folder where it is missing, and take it for this run alone.
fn lock(
    root: &Folder,
    place: &Path,
    make: fn(&Folder, &Path) -> io::Result<bool>,
) -> Result<(Folder, File), EmitError> {
    let full = root.path().join(place);
    let failed = parent(full.parent().unwrap_or(&full));
    for _ in 0..ATTEMPTS {
        make(root, place).map_err(|error| match error.kind() {
            ErrorKind::NotADirectory => EmitError::Unsafe {
                path: full.clone(),
                reason: "it is no folder of its own",
            },
            _ => failed(error),
        })?;
        let folder = match root.folder(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found.map_err(&failed)?,
        };
        let file = folder.as_file().map_err(&failed)?;
        match file.try_lock() {
            // A process that another thread is starting holds a copy of each handle for a moment.
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(PAUSE);
                continue;
            }
            // Some network file systems have no locks; nothing else is lost without them.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The run before may have removed the very folder that was opened.
        let now = root.folder(place).and_then(|now| now.identity());
        let own = folder.identity().map_err(&failed)?;
        if now.is_ok_and(|now| now == own) {
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

/// Writes the parts of a file, one after the other.
pub(super) type WriteParts<'a> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'a;

/// Write a file of the program's own by way of the staging folder, so that it is there whole or
/// not at all, after a power cut too. One that has the same bytes already is not touched.
///
/// # Errors
/// What the system says.
pub(super) fn put_state(staging: &Staging, name: &str, write: &WriteParts<'_>) -> io::Result<()> {
    let (root, folder) = (staging.root(), staging.folder());
    let (made, to) = (Path::new("state"), Path::new(name));
    folder.remove(made)?;
    let file = write_parts(folder, made, write)?;
    let hash = |folder: &Folder, path| folder.file(path)?.hash();
    if hash(root, to).is_ok_and(|old| hash(folder, made).is_ok_and(|new| old == new)) {
        return folder.remove(made);
    }
    sync::file(&file)?;
    folder.rename(made, root, to)?;
    sync::folder(root, Path::new(STATE_DIR))
}

/// Write a file below a folder, where nothing is, part by part.
///
/// # Errors
/// What the system says.
pub(super) fn write_parts(
    folder: &Folder,
    name: &Path,
    write: &WriteParts<'_>,
) -> io::Result<File> {
    let mut out = BufWriter::new(folder.create(name)?);
    write(&mut out)?;
    out.into_inner().map_err(IntoInnerError::into_error)
}
