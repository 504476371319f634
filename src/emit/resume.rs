//! What becomes of a run that was cut short.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::bases::Bases;
use super::journal::{Journal, Kind};
use super::manifest::{PENDING, STAGED_MANIFEST};
use super::record::{Place, Record, look};
use super::staging::{self, Staging, put_state};
use super::{EmitError, MANIFEST, Manifest, Written, write};

/// Bring an output, or a tree that is ported in its own place, into a state that a run can start
/// from: whatever a run left that was cut short is completed or forgotten. A command that writes
/// asks for it before it reads the input, which may be the same tree.
///
/// # Errors
/// [`EmitError::Busy`] while another run is at work there, [`EmitError::Changed`] where somebody
/// changed what is still to be replaced, or what the system says.
pub fn resume(output: &Path) -> Result<(), EmitError> {
    if let Some(journal) = Journal::read(output)? {
        let mut staging = Staging::inside(output)?;
        staging.keep();
        // The run may have ended between the two looks.
        if Journal::read(output)?.is_some() {
            let done = match journal.kind {
                Kind::Update => settle(output, &staging, &journal),
                Kind::InPlace => finish(output, &staging, &journal),
            };
            if matches!(done, Err(EmitError::Changed { .. })) {
                staging.forget();
            }
            done?;
        }
        staging.release();
    }
    staging::sweep(output)
}

/// Write a manifest that tells what the output holds now: the new rows of files that are new
/// already, the old ones of all others. The files themselves are the next port's to do.
fn settle(root: &Path, staging: &Staging, journal: &Journal) -> Result<(), EmitError> {
    let rows = |manifest: Manifest| -> BTreeMap<PathBuf, Written> {
        let files = manifest.files.into_iter();
        files
            .filter_map(|row| Some((row.path.to_path()?, row)))
            .collect()
    };
    let new = Manifest::read_at(&staging.path(STAGED_MANIFEST))?;
    // The first run into a tree with other files in it has no manifest to start from.
    let old = match root.join(MANIFEST).symlink_metadata() {
        Ok(_) => rows(Manifest::read(root)?),
        Err(_) => BTreeMap::new(),
    };
    let mut settled = Manifest {
        files: Vec::new(),
        ..new.clone()
    };
    let mut rest = rows(new);
    for put in &journal.puts {
        let Some((path, planned)) = put.new.record() else {
            continue;
        };
        if !holds(root, &path, &planned)? {
            rest.remove(&path);
            rest.extend(old.get(&path).map(|row| (path, row.clone())));
            continue;
        }
        // Of a file that has another name now, two would be left.
        if let Some((path, old)) = put.from.as_ref().and_then(Written::record)
            && holds(root, &path, &old)?
        {
            write::remove(root, &path).map_err(|error| EmitError::late(&path, error))?;
        }
    }
    for (path, wanted) in journal.modes.iter().filter_map(Written::record) {
        let found = look(root, &path).map_err(|error| EmitError::late(&path, error))?;
        let is_set = matches!(&found, Place::Taken(found) if found.mode() == wanted.mode());
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
        .filter_map(Written::record)
    {
        if root.join(&path).symlink_metadata().is_err() {
            write::prune(root, &path);
        } else if !rest.contains_key(&path) {
            rest.extend(old.get(&path).map(|row| (path, row.clone())));
        }
    }
    let records = rest.values().filter_map(Written::record).collect();
    Bases::of(root)
        .install(staging, &records)
        .map_err(|error| EmitError::late(Path::new(MANIFEST), error))?;
    settled.files = rest.into_values().collect();
    put_state(staging, root, MANIFEST, &settled.bytes())
        .map_err(|error| EmitError::late(Path::new(MANIFEST), error))?;
    Journal::close(root).map_err(|error| EmitError::late(Path::new(PENDING), error))
}

/// Put in place what an unfinished run in the input's own place has made, and remove what it
/// would have removed.
fn finish(root: &Path, staging: &Staging, journal: &Journal) -> Result<(), EmitError> {
    let mut changed = Vec::new();
    for (at, put) in journal.puts.iter().enumerate() {
        let Some((path, planned)) = put.new.record() else {
            continue;
        };
        if holds(root, &path, &planned)? {
            continue;
        }
        let is_untouched = match put.old.as_ref().and_then(Written::record) {
            Some((_, old)) => holds(root, &path, &old)?,
            None => matches!(look(root, &path), Ok(Place::Free)),
        };
        let staged = staging.path(&at.to_string());
        if !is_untouched || staged.symlink_metadata().is_err() {
            changed.push(path);
            continue;
        }
        write::install(&staged, root, &path).map_err(|error| EmitError::late(&path, error))?;
    }
    // An old name goes only when every new one is there: until then nothing is lost.
    if changed.is_empty() {
        for removed in &journal.removes {
            let Some((path, old)) = removed.record() else {
                continue;
            };
            if holds(root, &path, &old)? {
                write::remove(root, &path).map_err(|error| EmitError::late(&path, error))?;
            } else if root.join(&path).symlink_metadata().is_err() {
                write::prune(root, &path);
            }
        }
    }
    Journal::close(root).map_err(|error| EmitError::late(Path::new(PENDING), error))?;
    if changed.is_empty() {
        return Ok(());
    }
    Err(EmitError::Changed {
        output: root.to_owned(),
        files: changed,
    })
}

/// Whether `path` holds what a record says.
fn holds(root: &Path, path: &Path, record: &Record) -> Result<bool, EmitError> {
    match look(root, path) {
        Ok(Place::Taken(found)) => Ok(found.same_content(record)),
        Ok(_) => Ok(false),
        Err(error) => Err(EmitError::late(path, error)),
    }
}
