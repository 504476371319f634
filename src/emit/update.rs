//! Into a folder that is there already.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::journal::{Journal, Kind, Put, is_unfinished};
use super::manifest::{PENDING, STAGED_MANIFEST};
use super::record::{Place, Record, look};
use super::staging::{Staging, put_state};
use super::write::{self, Lasting};
use super::{
    EmitError, Emitted, Failed, MANIFEST, Manifest, OutputFile, Plan, REPORT, Stamp, Written,
    checked, clean, resume,
};
use crate::progress::Phase;

/// Write the plan into a tree that holds other files as well, as `--layout` does: the plan lists
/// what is added or changed, and all else stays. The manifest under `.torchada/` remembers what
/// was written, so that the next run can replace it.
///
/// A file of the plan that takes the place of its own source is an edit of the input, which
/// needs a clean git work tree or `force`.
///
/// # Errors
/// [`EmitError`]; all but one that has [`EmitError::begun`] leave the tree as it was.
pub fn beside(plan: &Plan, stamp: &Stamp<'_>, force: bool) -> Result<Emitted, EmitError> {
    let files = checked::check(plan)?;
    resume(&plan.output)?;
    let edits_input = files
        .values()
        .any(|file| file.source.as_ref() == Some(&file.path));
    if edits_input && !force {
        clean::check(&plan.output)?;
    }
    update(plan, &files, stamp, Ground::Shared)
}

/// Whose folder it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// The program's own output.
    Own,
    /// The input itself, which the program adds to.
    Shared,
}

/// What is to be done, once it is known that nothing is lost by it.
struct Work<'a> {
    /// Each file of the plan with what it will be.
    planned: Vec<(&'a OutputFile, Record)>,
    /// Those of them that are to be written.
    write: Vec<&'a OutputFile>,
    /// Those that have the right bytes and the wrong mode.
    modes: Vec<(PathBuf, u32)>,
    /// Files of the last port that stand where the plan wants a folder, or the other way round.
    clear: Vec<PathBuf>,
    /// Other files of the last port that the plan no longer has.
    remove: Vec<PathBuf>,
    /// Files whose source can't be read; what the last port made of them stays.
    failed: Vec<Failed>,
}

/// Replace file by file, after it is known that no person's work is lost.
///
/// All that is new is made aside first, so that a full disk or a source that vanished is noticed
/// before anything changes; then the journal says what will change, and renames do it.
pub(super) fn update(
    plan: &Plan,
    files: &BTreeMap<&Path, &OutputFile>,
    stamp: &Stamp<'_>,
    ground: Ground,
) -> Result<Emitted, EmitError> {
    let root = &plan.output;
    let mut staging = Staging::inside(root)?;
    if is_unfinished(root) {
        return Err(EmitError::Busy(root.clone()));
    }
    staging.clear()?;
    let known = remembered(root, ground)?;
    let mut work = survey(plan, files, &known, ground)?;
    let mut rows: BTreeMap<PathBuf, Written> = BTreeMap::new();
    for (file, record) in &work.planned {
        let row = Written::new(&file.path, file.source.as_deref(), record);
        rows.insert(file.path.clone(), row);
    }
    let mut emitted = Emitted {
        unchanged: work.planned.len() - work.write.len(),
        findings: checked::case_twins(files),
        failed: std::mem::take(&mut work.failed),
        ..Emitted::default()
    };

    stamp.progress.begin(Phase::Write, Some(work.write.len()));
    let early = |source| EmitError::early(root, source);
    let staged = stage(plan, &work, &staging, stamp);
    let mut puts = Vec::new();
    let mut ready = Vec::new();
    for (at, (file, outcome)) in staged.into_iter().enumerate() {
        match outcome {
            Ok(record) => {
                let new = Written::new(&file.path, file.source.as_deref(), &record);
                rows.insert(file.path.clone(), new.clone());
                puts.push(Put { new, old: None });
                ready.push((at, file));
            }
            Err(error) if write::is_fatal(&error) => {
                return Err(EmitError::early(&file.path, error));
            }
            Err(error) => emitted.failed.push(Failed::new(file, &error)),
        }
    }
    keep_old_rows(&mut rows, &known, &emitted.failed);
    let removes: Vec<Written> = [&work.clear, &work.remove]
        .into_iter()
        .flatten()
        .filter_map(|path| Some(Written::new(path, None, known.get(path)?)))
        .collect();
    let is_busy = !(puts.is_empty() && removes.is_empty());
    if is_busy {
        let manifest = Manifest::of(stamp, rows.values());
        fs::write(staging.path(STAGED_MANIFEST), manifest.bytes()).map_err(early)?;
        // From here on the next run has to know how far this one came.
        let journal = Journal::new(Kind::Update, puts, removes);
        journal.open(&mut staging, root)?;
    }

    let late = |path: &Path, source| EmitError::Io {
        path: path.to_owned(),
        begun: true,
        source,
    };
    for path in &work.clear {
        write::remove(root, path).map_err(|error| late(path, error))?;
    }
    let placed: Vec<_> = ready
        .par_iter()
        .map(|(at, file)| {
            let staged = staging.path(&at.to_string());
            (*file, write::install(&staged, root, &file.path))
        })
        .collect();
    let mut refused = Vec::new();
    for (file, outcome) in placed {
        match outcome {
            Ok(()) => emitted.written += 1,
            Err(error) if write::is_fatal(&error) => return Err(late(&file.path, error)),
            Err(error) => refused.push(Failed::new(file, &error)),
        }
    }
    for (path, mode) in &work.modes {
        let full = root.join(path);
        fs::set_permissions(&full, fs::Permissions::from_mode(*mode))
            .map_err(|error| late(path, error))?;
    }
    for path in &work.remove {
        write::remove(root, path).map_err(|error| late(path, error))?;
    }
    emitted.removed = [work.clear, work.remove].concat();
    keep_old_rows(&mut rows, &known, &refused);
    emitted.failed.extend(refused);
    if let Some(report) = stamp.report {
        put_state(&staging, root, REPORT, &report(&emitted))
            .map_err(|error| late(Path::new(REPORT), error))?;
    }
    let manifest = Manifest::of(stamp, rows.values());
    put_state(&staging, root, MANIFEST, &manifest.bytes())
        .map_err(|error| late(Path::new(MANIFEST), error))?;
    Journal::close(root).map_err(|error| late(Path::new(PENDING), error))?;
    staging.release();
    Ok(emitted)
}

/// Make all that is to be written, aside. Each is called by its number.
fn stage<'a>(
    plan: &Plan,
    work: &Work<'a>,
    staging: &Staging,
    stamp: &Stamp<'_>,
) -> Vec<(&'a OutputFile, io::Result<Record>)> {
    work.write
        .par_iter()
        .enumerate()
        .map(|(at, file)| {
            let to = staging.path(&at.to_string());
            let outcome = write::make(plan, file, &to, Lasting::Yes);
            stamp.progress.step();
            (*file, outcome)
        })
        .collect()
}

/// What earlier runs wrote, by path.
fn remembered(root: &Path, ground: Ground) -> Result<BTreeMap<PathBuf, Record>, EmitError> {
    if ground == Ground::Own || root.join(MANIFEST).exists() {
        return Ok(Manifest::read(root)?.records().collect());
    }
    Ok(BTreeMap::new())
}

/// Compare plan, memory and disk; nothing is changed.
fn survey<'a>(
    plan: &Plan,
    files: &BTreeMap<&Path, &'a OutputFile>,
    known: &BTreeMap<PathBuf, Record>,
    ground: Ground,
) -> Result<Work<'a>, EmitError> {
    let root = &plan.output;
    let mut work = Work {
        planned: Vec::new(),
        write: Vec::new(),
        modes: Vec::new(),
        clear: Vec::new(),
        remove: Vec::new(),
        failed: Vec::new(),
    };
    let mut changed = Vec::new();
    let is_ours = |path: &Path, found: &Record| {
        known
            .get(path)
            .is_some_and(|record| record.same_content(found))
    };

    // What goes, first: it may stand in the way of what comes.
    let gone: Vec<_> = known
        .par_iter()
        .filter(|(path, _)| !files.contains_key(path.as_path()) && is_plain(path))
        .map(|(path, _)| (path, look(root, path)))
        .collect();
    for (path, place) in gone {
        match place.map_err(|error| EmitError::early(path, error))? {
            Place::Taken(found) if is_ours(path, &found) => {
                let in_the_way = path.ancestors().skip(1).any(|up| files.contains_key(up))
                    // What lies below a path comes right after it.
                    || files
                        .range(path.as_path()..)
                        .next()
                        .is_some_and(|(other, _)| other.starts_with(path));
                if in_the_way {
                    work.clear.push(path.clone());
                } else {
                    work.remove.push(path.clone());
                }
            }
            Place::Taken(_) => changed.push(path.clone()),
            _ => {}
        }
    }

    let looked: Vec<_> = files
        .par_iter()
        .map(|(path, file)| (*file, Record::planned(plan, file), look(root, path)))
        .collect();
    for (file, planned, place) in looked {
        let path = &file.path;
        let place = place.map_err(|error| EmitError::early(path, error))?;
        let planned = match planned {
            Ok(planned) => planned,
            Err(error) => {
                work.failed.push(Failed::new(file, &error));
                continue;
            }
        };
        let edits_input = ground == Ground::Shared && file.source.as_ref() == Some(path);
        match place {
            Place::Free => work.write.push(file),
            Place::Taken(found) if found.same_content(&planned) => {
                if let (
                    Record::File {
                        mode: Some(want), ..
                    },
                    Record::File { mode: has, .. },
                ) = (&planned, &found)
                    && *has != Some(*want)
                {
                    work.modes.push((path.clone(), *want));
                }
            }
            Place::Taken(found) if edits_input || is_ours(path, &found) => work.write.push(file),
            Place::Folder if holds_only(root, path, &work.clear) => work.write.push(file),
            Place::Behind(link) if work.clear.contains(&link) => work.write.push(file),
            Place::Behind(_) => {
                return Err(EmitError::Unsafe {
                    path: path.clone(),
                    reason: "something above it is a link or a file",
                });
            }
            Place::Taken(_) | Place::Folder | Place::Special => changed.push(path.clone()),
        }
        work.planned.push((file, planned));
    }
    if changed.is_empty() {
        Ok(work)
    } else {
        changed.sort();
        Err(EmitError::Changed {
            output: root.clone(),
            files: changed,
        })
    }
}

/// A row of a manifest that somebody has tampered with must not lead out of the output.
fn is_plain(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Whether a folder holds nothing but files that will be gone.
fn holds_only(root: &Path, folder: &Path, gone: &[PathBuf]) -> bool {
    WalkDir::new(root.join(folder)).into_iter().all(|entry| {
        entry.is_ok_and(|entry| {
            entry.file_type().is_dir()
                || entry
                    .path()
                    .strip_prefix(root)
                    .is_ok_and(|path| gone.iter().any(|other| other == path))
        })
    })
}

/// A file that could not be replaced is still what the last port made it.
fn keep_old_rows(
    rows: &mut BTreeMap<PathBuf, Written>,
    known: &BTreeMap<PathBuf, Record>,
    failed: &[Failed],
) {
    for failed in failed {
        let path = failed.path.as_path();
        rows.remove(path);
        if let Some(record) = known.get(path) {
            let row = Written::new(path, failed.source.as_deref(), record);
            rows.insert(path.to_owned(), row);
        }
    }
}
