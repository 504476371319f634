//! Where files lie until they are whole: a folder that one run has for itself.
//!
//! Its place follows from the output's alone, so that a run finds what one before it left, and the
//! lock says whether that run is still at work.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::manifest::{STAGED, STATE_DIR};
use super::{EmitError, sync};

/// What the names of files and folders begin with until they are whole.
const TEMPORARY: &str = ".torchada-tmp-";

/// How often a lock is tried on a folder that another run removes in the same moment.
const ATTEMPTS: usize = 8;

/// A folder for what is not whole yet. It goes when this is dropped, unless it is kept.
pub(super) struct Staging {
    folder: PathBuf,
    /// The folder above it, where this program made that, too, and it goes when it is empty.
    above: Option<PathBuf>,
    is_kept: bool,
    /// Held for as long as the run writes; the system lets go of it when the process ends.
    _lock: File,
}

impl Staging {
    /// The folder beside an output that is to be built, empty.
    ///
    /// # Errors
    /// [`EmitError::Busy`], or [`EmitError::Parent`].
    pub(super) fn beside(output: &Path) -> Result<Self, EmitError> {
        let folder = beside(output);
        let lock = lock(&folder)?;
        let taken = Self {
            folder,
            above: None,
            is_kept: false,
            _lock: lock,
        };
        taken.clear()?;
        Ok(taken)
    }

    /// The folder in an output that is there. What an unfinished run left in it stays until
    /// [`Staging::clear`].
    ///
    /// # Errors
    /// [`EmitError::Busy`], [`EmitError::Unsafe`] where the program's own folder is a link, or
    /// [`EmitError::Parent`].
    pub(super) fn inside(root: &Path) -> Result<Self, EmitError> {
        let state = root.join(STATE_DIR);
        match fs::create_dir(&state) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(parent(&state)(error));
            }
            _ => {}
        }
        if !state.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Err(EmitError::Unsafe {
                path: state,
                reason: "it is no folder of the output itself",
            });
        }
        let folder = root.join(STAGED);
        let lock = lock(&folder)?;
        Ok(Self {
            folder,
            above: Some(state),
            is_kept: false,
            _lock: lock,
        })
    }

    /// A place in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Remove what lies in the folder.
    ///
    /// # Errors
    /// [`EmitError::Parent`].
    pub(super) fn clear(&self) -> Result<(), EmitError> {
        let failed = parent(&self.folder);
        for entry in fs::read_dir(&self.folder).map_err(&failed)? {
            let entry = entry.map_err(&failed)?;
            let path = entry.path();
            let is_folder = entry.file_type().map_err(&failed)?.is_dir();
            let removed = if is_folder {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            removed.map_err(&failed)?;
        }
        Ok(())
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
        let _ = fs::remove_dir_all(&self.folder);
        if let Some(above) = &self.above {
            let _ = fs::remove_dir(above);
        }
    }
}

/// Remove what runs that were cut short left beside an output, or in it, where nothing of it is
/// needed any more.
///
/// # Errors
/// [`EmitError::Busy`] while another run is at work, or [`EmitError::Parent`].
pub(super) fn sweep(output: &Path) -> Result<(), EmitError> {
    if is_folder(&beside(output)) {
        drop(Staging::beside(output)?);
    }
    if is_folder(&output.join(STAGED)) {
        drop(Staging::inside(output)?);
    }
    // The folder above it is the program's own, too, and goes where nothing is in it.
    let state = output.join(STATE_DIR);
    if is_folder(&state) && fs::read_dir(&state).is_ok_and(|mut entries| entries.next().is_none()) {
        fs::remove_dir(&state).map_err(parent(output))?;
    }
    Ok(())
}

/// Whether it is a folder itself, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// The temporary name beside `path` that belongs to it alone. It is short, whatever the name is.
pub(super) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let mut own = OsString::from(TEMPORARY);
    own.push(hash.get(..16).unwrap_or_default());
    path.with_file_name(own)
}

/// Make a folder where it is missing, and take it for this run alone.
fn lock(folder: &Path) -> Result<File, EmitError> {
    let failed = parent(folder.parent().unwrap_or(folder));
    for _ in 0..ATTEMPTS {
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(failed(error));
            }
            _ => {}
        }
        if !is_folder(folder) {
            return Err(EmitError::Unsafe {
                path: folder.to_owned(),
                reason: "it is no folder",
            });
        }
        let file = match File::open(folder) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(EmitError::Busy(folder.to_owned())),
            // Some network file systems have no locks; nothing else is lost without them.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The run before may have removed the very folder that was opened.
        let same = |found: fs::Metadata| {
            let own = file.metadata()?;
            Ok::<_, io::Error>((own.dev(), own.ino()) == (found.dev(), found.ino()))
        };
        if folder
            .symlink_metadata()
            .and_then(same)
            .is_ok_and(|same| same)
        {
            return Ok(file);
        }
    }
    Err(EmitError::Busy(folder.to_owned()))
}

fn parent(folder: &Path) -> impl Fn(io::Error) -> EmitError {
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
pub(super) fn put_state(
    staging: &Staging,
    root: &Path,
    name: &str,
    bytes: &[u8],
) -> io::Result<()> {
    let to = root.join(name);
    if fs::read(&to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let staged = staging.path("state");
    fs::write(&staged, bytes)?;
    sync::file(&File::open(&staged)?)?;
    fs::rename(&staged, &to)?;
    sync::folder(&root.join(STATE_DIR))
}
