//! Writes and reads the cache of an output, which is no part of the port.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::manifest::{STAGED, STATE_DIR};
use super::{EmitError, staging};
use crate::files::{Folder, OwnState};
use crate::mapping::safety;

/// The folder of the cache in an output. It is in no manifest and in no comparison.
const FOLDER: &str = safety::CACHE;
/// Keeps git from taking the folder in, whatever the repository ignores.
const IGNORE: (&str, &str) = (".gitignore", "*\n");

/// A port's own files in an output, without the cache: manifest, report and the texts for
/// merges. Relative to the output's root.
pub fn state_files(output: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(output.join(STATE_DIR)).sort_by_file_name();
    entries
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| !entry.file_type().is_dir())
        .filter_map(|entry| Some(entry.path().strip_prefix(output).ok()?.to_owned()))
        .filter(|path| !path.starts_with(FOLDER) && !is_staged(path))
        .collect()
}

/// Whether a path in an output lies in the folder of a run that is at work.
fn is_staged(path: &Path) -> bool {
    let name = path.iter().nth(1).unwrap_or_default();
    name.as_encoded_bytes().starts_with(STAGED.as_bytes())
}

/// Read a file of the cache; `None` where it is not there, can't be read, or is not what a run of this user
/// on this machine left there.
pub fn cached(output: &Path, name: &str) -> Option<Vec<u8>> {
    let root = Folder::open(output).ok()?;
    let bytes = root
        .read(&Path::new(FOLDER).join(name), safety::BYTES_CACHE)
        .ok()?;
    let seal = OwnState::open().and_then(|state| state.seal()).ok()?;
    seal.take(output, name, &bytes).map(<[u8]>::to_vec)
}

/// Write a file of the cache of an output that a port wrote. It need not outlive a power cut.
///
/// # Errors
/// What the system says. The output is as it was.
pub fn cache(output: &Path, name: &str, bytes: &[u8]) -> Result<(), EmitError> {
    put(output, name, bytes).map_err(EmitError::early(&output.join(FOLDER)))
}

fn put(output: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let seal = OwnState::open()?.seal()?.of(output, name, bytes);
    let root = Folder::open(output)?;
    // The folder above it is there, or this is no output.
    root.make(Path::new(FOLDER))?;
    let folder = root.folder(Path::new(FOLDER))?;
    let (ignore, text) = (Path::new(IGNORE.0), IGNORE.1.as_bytes());
    // A run that was cut short may have left it empty.
    let is_there = folder.read(ignore, text.len() as u64);
    if !is_there.is_ok_and(|found| found == text) {
        write(&folder, ignore, &[text])?;
    }
    write(&folder, Path::new(name), &[&seal, bytes])
}

fn write(folder: &Folder, name: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let near = staging::temporary_name(name);
    folder.remove(&near)?;
    let mut file = folder.create(&near)?;
    for part in parts {
        file.write_all(part)?;
    }
    folder.rename(&near, folder, name)
}
