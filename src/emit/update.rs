//! Into a folder that is there already.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::manifest::PENDING;
use super::record::{Place, Record, look};
use super::{
    EmitError, Emitted, Failed, MANIFEST, Manifest, OutputFile, Plan, REPORT, STATE_DIR, Stamp,
    checked, clean, write,
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
pub(super) fn update(
    plan: &Plan,
    files: &BTreeMap<&Path, &OutputFile>,
    stamp: &Stamp<'_>,
    ground: Ground,
) -> Result<Emitted, EmitError> {
    let root = &plan.output;
    let known = remembered(root, ground)?;
    let work = survey(plan, files, &known, ground)?;
    let mut manifest = Manifest::new(stamp);
    for (file, record) in &work.planned {
        manifest.add(&file.path, file.source.as_deref(), record);
    }
    for failed in &work.failed {
        if let Some(record) = known.get(&failed.path).and_then(|records| records.first()) {
            manifest.add(&failed.path, failed.source.as_deref(), record);
        }
    }

    let late = |path: &Path, source| EmitError::Io {
        path: path.to_owned(),
        begun: true,
        source,
    };
    let state_file = |path: &str, bytes: &[u8]| {
        let full = root.join(path);
        let unchanged = fs::read(&full).is_ok_and(|old| old == bytes);
        if unchanged {
            return Ok(());
        }
        write::put(&full, &root.join(STATE_DIR), bytes, true, None)
    };
    let new = manifest.bytes();
    fs::create_dir_all(root.join(STATE_DIR)).map_err(|error| EmitError::early(root, error))?;
    let busy = !(work.write.is_empty() && work.clear.is_empty() && work.remove.is_empty());
    if busy {
        // From here on a run that is cut short leaves a mark by which the next one knows the
        // files that this one wrote.
        state_file(PENDING, &new).map_err(|error| EmitError::early(root, error))?;
    }

    let mut emitted = Emitted {
        unchanged: work.planned.len() - work.write.len(),
        findings: checked::case_twins(files),
        failed: work.failed,
        ..Emitted::default()
    };
    for path in &work.clear {
        write::remove(root, path).map_err(|error| late(path, error))?;
    }
    stamp.progress.begin(Phase::Write, Some(work.write.len()));
    let outcomes: Vec<_> = work
        .write
        .par_iter()
        .map(|file| {
            let outcome = write::replace(plan, file, root);
            stamp.progress.step();
            (*file, outcome)
        })
        .collect();
    let mut broken = false;
    for (file, outcome) in outcomes {
        match outcome {
            Ok(_) => emitted.written += 1,
            Err(error) if write::is_fatal(&error) => return Err(late(&file.path, error)),
            Err(error) => {
                broken = true;
                emitted.failed.push(Failed::new(file, &error));
            }
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
    if broken {
        keep_old_rows(&mut manifest, &known, &emitted.failed);
    }
    if let Some(report) = stamp.report {
        state_file(REPORT, &report(&emitted)).map_err(|error| late(Path::new(REPORT), error))?;
    }
    state_file(MANIFEST, &manifest.bytes()).map_err(|error| late(Path::new(MANIFEST), error))?;
    match fs::remove_file(root.join(PENDING)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(late(Path::new(PENDING), error));
        }
        _ => {}
    }
    Ok(emitted)
}

/// What earlier runs wrote, by path; a run that was cut short counts too.
fn remembered(root: &Path, ground: Ground) -> Result<BTreeMap<PathBuf, Vec<Record>>, EmitError> {
    let mut known: BTreeMap<PathBuf, Vec<Record>> = BTreeMap::new();
    let state = root.join(STATE_DIR);
    if state.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        return Err(EmitError::Unsafe {
            path: state,
            reason: "it is no folder of the output itself",
        });
    }
    if ground == Ground::Own || root.join(MANIFEST).exists() {
        for (path, record) in Manifest::read(root)?.records() {
            known.entry(path).or_default().push(record);
        }
    }
    // A mark that can't be read says nothing: its files then count as a person's.
    if let Ok(pending) = Manifest::read_at(&root.join(PENDING)) {
        for (path, record) in pending.records() {
            known.entry(path).or_default().push(record);
        }
    }
    Ok(known)
}

/// Compare plan, memory and disk; nothing is changed.
fn survey<'a>(
    plan: &Plan,
    files: &BTreeMap<&Path, &'a OutputFile>,
    known: &BTreeMap<PathBuf, Vec<Record>>,
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
            .is_some_and(|records| records.iter().any(|record| record.same_content(found)))
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
    manifest: &mut Manifest,
    known: &BTreeMap<PathBuf, Vec<Record>>,
    failed: &[Failed],
) {
    for failed in failed {
        let row = failed.path.as_path().into();
        manifest.files.retain(|file| file.path != row);
        if let Some(record) = known.get(&failed.path).and_then(|records| records.first()) {
            manifest.add(&failed.path, failed.source.as_deref(), record);
        }
    }
}
