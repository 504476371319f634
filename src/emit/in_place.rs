//! Writes a port over its own input.

use std::path::{Path, PathBuf};

use super::journal::{Journal, PutFile, RunKind};
use super::record::{FileRecord, OutputState, look};
use super::write::{self, Durable};
use super::{EmitError, Emitted, ManifestEntry, OutputFile, Plan, checked, journal, sync};
use crate::files::Folder;
use crate::parallel;
use crate::progress::{Phase, Progress};

/// Write the plan into the input itself: all that is new is made aside, then put in place file by
/// file, and old names are removed once every new one is there. Where one file can't be made, nothing
/// is changed. Files whose bytes and place stay are not touched. No manifest is left. `plan.output`
/// is `plan.input`.
///
/// A run that is cut short is completed by [`super::resume`], from what it has made: the input that
/// it was made from may be gone by then.
///
/// # Errors
/// [`EmitError::NotClean`] unless the input lies in a git work tree without changes to tracked
/// files, or [`EmitError::Untracked`] if git does not track a file that is to change or to go, unless `force` is set
/// or nothing would change; nothing is written then.
pub fn in_place(plan: &Plan, force: bool, progress: &dyn Progress) -> Result<Emitted, EmitError> {
    let files = checked::check(plan)?;
    let opened = Folder::open(&plan.input);
    let root = opened.map_err(EmitError::early(&plan.input))?;
    let mut to_write: Vec<(&OutputFile, Option<FileRecord>)> = Vec::new();
    let mut emitted = Emitted {
        findings: checked::case_twins(&files),
        ..Emitted::default()
    };
    emitted.findings.extend(journal::foreign(&root));
    let looked = parallel::map(&files, |(path, file)| {
        (*file, FileRecord::planned(plan, file), look(&root, path))
    });
    for (file, planned, place) in looked {
        let stays = file.source.as_ref() == Some(&file.path);
        let place = place.map_err(EmitError::early(&file.path))?;
        let planned = planned.map_err(EmitError::early(&file.path))?;
        match place {
            OutputState::Taken(found) if found.same_content(&planned) => emitted.unchanged += 1,
            OutputState::Taken(found) if stays => to_write.push((file, Some(found))),
            OutputState::Free => to_write.push((file, None)),
            OutputState::Behind(_) => {
                return Err(EmitError::Unsafe {
                    path: file.path.clone(),
                    reason: "something above it is a link or a file",
                });
            }
            OutputState::Taken(_) | OutputState::Folder | OutputState::Special => {
                return Err(EmitError::Exists(root.path().join(&file.path)));
            }
        }
    }
    let mut moved: Vec<ManifestEntry> = Vec::new();
    for source in files.values().filter_map(|file| file.source.as_ref()) {
        if !files.contains_key(source.as_path())
            && let Ok(OutputState::Taken(found)) = look(&root, source)
        {
            moved.push(ManifestEntry::new(source, None, &found));
        }
    }
    if to_write.is_empty() && moved.is_empty() {
        return Ok(emitted);
    }
    if !force {
        let written = to_write.iter().filter(|(_, found)| found.is_some());
        let written = written.map(|(file, _)| file.path.clone());
        let moved = moved.iter().filter_map(|row| row.path.to_path());
        let touched: Vec<PathBuf> = written.chain(moved).collect();
        checked::is_committed(&plan.input, touched.iter().map(PathBuf::as_path))?;
    }
    write(plan, root, &to_write, moved, emitted, progress)
}

fn write(
    plan: &Plan,
    root: Folder,
    to_write: &[(&OutputFile, Option<FileRecord>)],
    moved: Vec<ManifestEntry>,
    mut emitted: Emitted,
    progress: &dyn Progress,
) -> Result<Emitted, EmitError> {
    let mut staging = Journal::begin(root)?;
    progress.begin(Phase::Write, Some(to_write.len()));
    let made = parallel::map(to_write.iter().enumerate(), |(at, (file, _))| {
        let outcome = write::make(
            plan,
            file,
            staging.folder(),
            Path::new(&at.to_string()),
            None,
            Durable::Yes,
        )
        .map(|made| made.record);
        progress.step();
        outcome
    });
    let mut puts = Vec::new();
    for ((file, found), outcome) in to_write.iter().zip(made) {
        let record = outcome.map_err(EmitError::early(&file.path))?;
        puts.push(PutFile {
            new: ManifestEntry::new(&file.path, file.source.as_deref(), &record),
            old: found
                .as_ref()
                .map(|found| ManifestEntry::new(&file.path, None, found)),
            from: None,
        });
    }
    let journal = Journal::new(&plan.input, RunKind::InPlace, puts, moved);
    // From here on the next run completes what this one does not.
    journal.open(&mut staging)?;
    let root = staging.root();
    for (at, put) in journal.puts.iter().enumerate() {
        if let Some((path, _)) = put.new.record() {
            write::install(staging.folder(), Path::new(&at.to_string()), root, &path)
                .map_err(EmitError::late(&path))?;
            emitted.written += 1;
        }
    }
    // An old name goes only when every new one is there: until then nothing is lost.
    for (path, _) in journal.removes.iter().filter_map(ManifestEntry::record) {
        write::remove(root, &path).map_err(EmitError::late(&path))?;
        emitted.removed.push(path);
    }
    let touched = journal.puts.iter().map(|put| &put.new);
    let touched: Vec<_> = touched
        .chain(&journal.removes)
        .filter_map(ManifestEntry::record)
        .collect();
    sync::folders_of(root, touched.iter().map(|(path, _)| path.as_path()))
        .map_err(EmitError::late(&plan.input))?;
    Journal::close(&plan.input).map_err(EmitError::State)?;
    staging.release();
    Ok(emitted)
}
