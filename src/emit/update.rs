//! Writes into an existing folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::bases::Bases;
use super::journal::{Journal, PutFile, RunKind};
use super::map::MAP;
use super::record::FileRecord;
use super::stage::{ReadyFile, keep_old_row, stage};
use super::staging::{Staging, WriteParts, put_state};
use super::survey::{OutputKind, PreviousFiles, Survey, previous_files, survey};
use super::{
    EmitError, Emitted, Failed, MANIFEST, Manifest, ManifestEntry, OutputFile, Plan, REPORT, Stamp,
    checked, journal, resume, sync, write,
};
use crate::files::{Folder, PathKind};
use crate::parallel;
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
    let mut edits_input = files
        .values()
        .filter(|file| file.source.as_ref() == Some(&file.path))
        .map(|file| file.path.as_path())
        .peekable();
    if edits_input.peek().is_some() && !force {
        checked::is_committed(&plan.output, edits_input)?;
    }
    let opened = Folder::open(&plan.output);
    let root = opened.map_err(EmitError::early(&plan.output))?;
    update(plan, &files, stamp, root, OutputKind::Shared)
}

/// Replace file by file, after it is known that no person's work is lost.
///
/// All that is new is made aside first, so that a full disk or a source that vanished is noticed
/// before anything changes; then the journal says what will change, and renames do it.
pub(super) fn update(
    plan: &Plan,
    files: &BTreeMap<&Path, &OutputFile>,
    stamp: &Stamp<'_>,
    root: Folder,
    output_kind: OutputKind,
) -> Result<Emitted, EmitError> {
    let mut staging = Journal::begin(root)?;
    let known = remembered(staging.root(), output_kind)?;
    let mut work = survey(staging.root(), plan, files, &known, output_kind)?;
    refuse(&plan.output, &work)?;
    let mut emitted = Emitted {
        unchanged: work.same,
        findings: checked::case_twins(files),
        edits: work.edits,
        failed: std::mem::take(&mut work.failed),
        ..Emitted::default()
    };
    emitted.findings.append(&mut work.findings);
    emitted.findings.extend(journal::foreign(staging.root()));

    stamp
        .progress
        .begin(Phase::Write, Some(work.placings.len()));
    let ready = stage(plan, &mut work, &known, &staging, stamp, &mut emitted)?;
    let is_busy = !(ready.is_empty() && work.clear.is_empty() && work.remove.is_empty());
    if is_busy {
        // From here on the next run has to know how far this one came.
        let manifest = Manifest::of(stamp, work.rows.values());
        changes(plan, &work, &ready, manifest).open(&mut staging)?;
    }
    let root = staging.root();
    for (path, _) in &work.clear {
        write::remove(root, path).map_err(EmitError::late(path))?;
    }
    let stay = install(&ready, &mut work, &known, &staging, &mut emitted)?;
    for (file, _, mode) in &work.modes {
        root.set_mode(&file.path, *mode)
            .map_err(EmitError::late(&file.path))?;
    }
    let from = ready.iter().filter_map(|one| one.placing.from.as_ref());
    for (path, _) in work.remove.iter().chain(from) {
        if stay.contains(path) {
            keep_old_row(&mut work.rows, &known, path);
        } else {
            write::remove(root, path).map_err(EmitError::late(path))?;
            emitted.removed.push(path.clone());
        }
    }
    // The journal goes when nothing is left that it is needed for, after a power cut too.
    let touched = ready.iter().map(|one| one.placing.path.as_path());
    let touched = touched.chain(emitted.removed.iter().map(PathBuf::as_path));
    sync::folders_of(root, touched).map_err(EmitError::late(&plan.output))?;
    emitted
        .removed
        .extend(work.clear.into_iter().map(|(path, _)| path));
    put_states(&staging, stamp, &work.rows, &emitted)?;
    Journal::close(&plan.output).map_err(EmitError::State)?;
    staging.release();
    Ok(emitted)
}

/// Put what lies ready in its place. Returns the old paths of what could not be put there.
fn install(
    ready: &[ReadyFile<'_>],
    work: &mut Survey<'_>,
    known: &PreviousFiles,
    staging: &Staging,
    emitted: &mut Emitted,
) -> Result<BTreeSet<PathBuf>, EmitError> {
    let outcomes = parallel::map(ready, |one| {
        let staged = one.at.to_string();
        write::install(
            staging.folder(),
            Path::new(&staged),
            staging.root(),
            &one.placing.path,
        )
    });
    let mut stay = BTreeSet::new();
    for (one, outcome) in ready.iter().zip(outcomes) {
        match outcome {
            Ok(()) => emitted.written += 1,
            Err(error) if write::is_fatal(&error) => {
                return Err(EmitError::late(&one.placing.path)(error));
            }
            Err(error) => {
                emitted
                    .failed
                    .push(Failed::in_output(one.placing.file, &error));
                keep_old_row(&mut work.rows, known, &one.placing.path);
                stay.extend(one.placing.from.as_ref().map(|(path, _)| path.clone()));
            }
        }
    }
    Ok(stay)
}

/// Put what the next run needs: the texts of the port, the report, the map and, as the last, the manifest.
fn put_states(
    staging: &Staging,
    stamp: &Stamp<'_>,
    rows: &BTreeMap<PathBuf, ManifestEntry>,
    emitted: &Emitted,
) -> Result<(), EmitError> {
    let records = rows.values().filter_map(ManifestEntry::record).collect();
    Bases::of(staging.root())
        .install(staging, &records)
        .map_err(EmitError::late(Path::new(super::STATE_DIR)))?;
    let put = |name: &str, write: &WriteParts<'_>| {
        put_state(staging, name, write).map_err(EmitError::late(Path::new(name)))
    };
    if let Some(report) = stamp.report {
        put(REPORT, &|out| report(emitted, out))?;
    }
    if let Some(map) = stamp.map {
        put(MAP, &|out| out.write_all(map))?;
    }
    let manifest = Manifest::of(stamp, rows.values());
    put(MANIFEST, &|out| manifest.write(out))
}

/// Stop before anything is written where a person's work can't be kept.
fn refuse(root: &Path, work: &Survey<'_>) -> Result<(), EmitError> {
    if let Some(file) = work.blocked.first() {
        return Err(EmitError::Unsafe {
            path: file.path.clone(),
            reason: "something above it is a link or a file",
        });
    }
    let sorted = |files: &[PathBuf]| {
        let mut files = files.to_vec();
        files.sort();
        files
    };
    let output = root.to_owned();
    if !work.refused.is_empty() {
        let files = sorted(&work.refused);
        return Err(EmitError::Changed { output, files });
    }
    if !work.disputed.is_empty() {
        let files = sorted(&work.disputed);
        return Err(EmitError::Conflicts { output, files });
    }
    Ok(())
}

/// The files that earlier runs wrote.
fn remembered(root: &Folder, output_kind: OutputKind) -> Result<PreviousFiles, EmitError> {
    let found = root.look(Path::new(MANIFEST));
    if output_kind == OutputKind::Own || !matches!(found, Ok(PathKind::Nothing)) {
        return Ok(previous_files(&Manifest::read_in(root)?));
    }
    Ok(PreviousFiles::new())
}

/// All that the run is about to change.
fn changes(plan: &Plan, work: &Survey<'_>, ready: &[ReadyFile<'_>], manifest: Manifest) -> Journal {
    let of = |(path, record): &(PathBuf, FileRecord)| ManifestEntry::new(path, None, record);
    let puts = ready.iter().map(|one| PutFile {
        new: ManifestEntry::new(&one.placing.path, None, &one.record),
        old: None,
        from: one.placing.from.as_ref().map(of),
    });
    let removes = work.clear.iter().chain(&work.remove).map(of);
    let modes = work.modes.iter().map(|(file, _, mode)| {
        let mode = Some(format!("{mode:o}"));
        let row = work.rows.get(&file.path).cloned();
        row.map(|row| ManifestEntry { mode, ..row })
    });
    let mut journal = Journal::new(
        &plan.output,
        RunKind::Update,
        puts.collect(),
        removes.collect(),
    );
    journal.modes = modes.flatten().collect();
    journal.manifest = Some(manifest);
    journal
}
