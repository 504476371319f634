//! Completes a run that was cut short, or records what it had done.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::bases::Bases;
use super::journal::{Journal, RunKind};
use super::record::{FileRecord, OutputState, look};
use super::staging::{self, Staging, put_state};
use super::{EmitError, MANIFEST, Manifest, ManifestEntry, write};
use crate::files::{Folder, PathKind};

/// Bring an output, or a tree that is ported in its own place, into a state that a run can start
/// from: whatever a run left that was cut short is completed or forgotten. A command that writes
/// asks for it before it reads the input, which may be the same tree.
///
/// # Errors
/// [`EmitError::Busy`] while another run is at work there, [`EmitError::Changed`] where somebody
/// changed what is still to be replaced, or what the system says.
pub fn resume(output: &Path) -> Result<(), EmitError> {
    if Journal::read(output)?.is_some() {
        match Folder::open(output) {
            Ok(root) => complete(root)?,
            // The output that the journal speaks of is gone.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                close(output)?;
            }
            Err(error) => return Err(EmitError::early(output)(error)),
        }
    }
    staging::sweep(output)
}

fn complete(root: Folder) -> Result<(), EmitError> {
    let output = root.path().to_owned();
    let mut staging = Staging::inside(root)?;
    staging.keep();
    // The run may have ended between the two looks.
    if let Some(journal) = Journal::read(&output)? {
        let done = match journal.kind {
            RunKind::Update => record_output(&staging, &journal),
            RunKind::InPlace => finish(&staging, &journal),
        };
        if matches!(done, Err(EmitError::Changed { .. })) {
            staging.forget();
        }
        done?;
    }
    staging.release();
    Ok(())
}

fn close(output: &Path) -> Result<(), EmitError> {
    Journal::close(output).map_err(EmitError::State)
}

/// Write a manifest that tells what the output holds now: the new rows of files that are new
/// already, the old ones of all others. The files themselves are the next port's to do.
fn record_output(staging: &Staging, journal: &Journal) -> Result<(), EmitError> {
    let root = staging.root();
    let rows = |manifest: Manifest| -> BTreeMap<PathBuf, ManifestEntry> {
        let files = manifest.files.into_iter();
        files
            .filter_map(|row| Some((row.path.to_path()?, row)))
            .collect()
    };
    let Some(new) = journal.manifest.clone() else {
        return close(root.path());
    };
    // The first run into a tree with other files in it has no manifest to start from.
    let old = match root.look(Path::new(MANIFEST)) {
        Ok(PathKind::Nothing) | Err(_) => BTreeMap::new(),
        Ok(_) => rows(Manifest::read_in(root)?),
    };
    let mut manifest = Manifest {
        files: Vec::new(),
        ..new.clone()
    };
    let mut rest = rows(new);
    for put in &journal.puts {
        let Some((path, planned)) = put.new.record() else {
            continue;
        };
        if !matches_record(root, &path, &planned)? {
            rest.remove(&path);
            rest.extend(old.get(&path).map(|row| (path, row.clone())));
            continue;
        }
        // Of a file that has another name now, two would be left.
        if let Some((path, old)) = put.from.as_ref().and_then(ManifestEntry::record)
            && matches_record(root, &path, &old)?
        {
            write::remove(root, &path).map_err(EmitError::late(&path))?;
        }
    }
    for (path, wanted) in journal.modes.iter().filter_map(ManifestEntry::record) {
        let found = look(root, &path).map_err(EmitError::late(&path))?;
        let is_set = matches!(&found, OutputState::Taken(found) if found.mode() == wanted.mode());
        // Its mode is still what the last port made it, and no person's.
        if let (false, Some(row), Some(old)) = (is_set, rest.get_mut(&path), old.get(&path)) {
            row.mode.clone_from(&old.mode);
        }
    }
    let from = journal.puts.iter().filter_map(|put| put.from.as_ref());
    for (path, _) in journal
        .removes
        .iter()
        .chain(from)
        .filter_map(ManifestEntry::record)
    {
        if !root.has(&path) {
            write::prune(root, &path);
        } else if !rest.contains_key(&path) {
            rest.extend(old.get(&path).map(|row| (path, row.clone())));
        }
    }
    let records = rest.values().filter_map(ManifestEntry::record).collect();
    Bases::of(root)
        .install(staging, &records)
        .map_err(EmitError::late(Path::new(MANIFEST)))?;
    manifest.files = rest.into_values().collect();
    put_state(staging, MANIFEST, &|out| manifest.write(out))
        .map_err(EmitError::late(Path::new(MANIFEST)))?;
    close(root.path())
}

/// Put in place what an unfinished run in the input's own place has made, and remove what it
/// would have removed. Nothing is moved before every file was looked at.
fn finish(staging: &Staging, journal: &Journal) -> Result<(), EmitError> {
    let root = staging.root();
    let mut changed = Vec::new();
    let mut rest = Vec::new();
    for (at, put) in journal.puts.iter().enumerate() {
        let Some((path, planned)) = put.new.record() else {
            continue;
        };
        if matches_record(root, &path, &planned)? {
            continue;
        }
        let is_untouched = match put.old.as_ref().and_then(ManifestEntry::record) {
            Some((_, old)) => matches_record(root, &path, &old)?,
            None => matches!(look(root, &path), Ok(OutputState::Free)),
        };
        let staged = PathBuf::from(at.to_string());
        if is_untouched && matches_record(staging.folder(), &staged, &planned)? {
            rest.push((staged, path));
        } else {
            changed.push(path);
        }
    }
    for (staged, path) in rest {
        write::install(staging.folder(), &staged, root, &path).map_err(EmitError::late(&path))?;
    }
    // An old name goes only when every new one is there: until then nothing is lost.
    if changed.is_empty() {
        for removed in &journal.removes {
            let Some((path, old)) = removed.record() else {
                continue;
            };
            if matches_record(root, &path, &old)? {
                write::remove(root, &path).map_err(EmitError::late(&path))?;
            } else if !root.has(&path) {
                write::prune(root, &path);
            }
        }
    }
    close(root.path())?;
    if changed.is_empty() {
        return Ok(());
    }
    Err(EmitError::Changed {
        output: root.path().to_owned(),
        files: changed,
    })
}

/// Whether `path` holds what a record says.
fn matches_record(root: &Folder, path: &Path, record: &FileRecord) -> Result<bool, EmitError> {
    match look(root, path) {
        Ok(OutputState::Taken(found)) => Ok(found.same_content(record)),
        Ok(_) => Ok(false),
        Err(error) => Err(EmitError::late(path)(error)),
    }
}
