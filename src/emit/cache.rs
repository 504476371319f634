//! What a port keeps on one machine to know what changed: no part of the output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::manifest::{STAGED, STATE_DIR};
use super::write::{self, Lasting};
use super::{EmitError, staging};

/// The folder of the cache in an output. It is in no manifest and in no comparison.
const FOLDER: &str = ".torchada/cache";
/// Keeps git from taking the folder in, whatever the repository ignores.
const IGNORE: (&str, &str) = (".gitignore", "*\n");

/// What a port left of its own in an output, without the cache: manifest, report and the texts for
/// merges. Relative to the output's root.
pub fn state_files(output: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(output.join(STATE_DIR)).sort_by_file_name();
    entries
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| !entry.file_type().is_dir())
        .filter_map(|entry| Some(entry.path().strip_prefix(output).ok()?.to_owned()))
        .filter(|path| !path.starts_with(FOLDER) && !path.starts_with(STAGED))
        .collect()
}

/// Read a file of the cache; `None` where it is not there or can't be read.
pub fn cached(output: &Path, name: &str) -> Option<Vec<u8>> {
    fs::read(output.join(FOLDER).join(name)).ok()
}

/// Write a file of the cache of an output that a port wrote. It need not outlive a power cut.
///
/// # Errors
/// What the system says. The output is as it was.
pub fn cache(output: &Path, name: &str, bytes: &[u8]) -> Result<(), EmitError> {
    put(output, name, bytes).map_err(|error| EmitError::early(&output.join(FOLDER), error))
}

fn put(output: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = output.join(FOLDER);
    let is_own = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !is_own(&output.join(STATE_DIR)) {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if !is_own(&folder) {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let (ignore, text) = IGNORE;
    // A run that was cut short may have left it empty.
    if !fs::read(folder.join(ignore)).is_ok_and(|found| found == text.as_bytes()) {
        fs::write(folder.join(ignore), text)?;
    }
    let to = folder.join(name);
    let near = staging::beside(&to);
    write::remove_if_there(&near)?;
    write::text(&near, bytes, None, Lasting::No)?;
    fs::rename(&near, &to)
}
