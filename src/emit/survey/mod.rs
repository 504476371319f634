//! Decides for each file of an output what a port does with it, before anything is written.
//!
//! A re-port does it, and a check says whether there is anything to do: both ask here.

mod edited;
mod model;
mod sidecar;

pub(super) use model::{
    OutputKind, PlacedContent, Placing, PreviousFile, PreviousFiles, Survey, previous_files,
};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::bases::Bases;
use super::record::{FileRecord, OutputState, look};
use super::{EmitError, Failed, ManifestEntry, OutputFile, Plan, merge};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::KEPT;
use crate::files::Folder;
use crate::parallel;

/// Compare plan, memory and disk; nothing is changed.
///
/// # Errors
/// An error of the system about the output.
pub(super) fn survey<'a>(
    root: &Folder,
    plan: &'a Plan,
    files: &BTreeMap<&'a Path, &'a OutputFile>,
    known: &PreviousFiles,
    output_kind: OutputKind,
) -> Result<Survey<'a>, EmitError> {
    let looked = parallel::map(files, |(path, file)| {
        (*file, FileRecord::planned(plan, file), look(root, path))
    });
    let mut there = Vec::with_capacity(looked.len());
    let mut done = Survey::default();
    for (file, planned, place) in looked {
        let place = place.map_err(EmitError::early(&file.path))?;
        match planned {
            Ok(planned) => there.push((file, planned, place)),
            Err(error) => {
                done.failed.push(Failed::new(file, &error));
                let old = known.get(&file.path);
                done.rows
                    .extend(old.map(|old| (file.path.clone(), old.row.clone())));
            }
        }
    }
    let view = SurveyInputs {
        root,
        plan,
        files,
        known,
        output_kind,
        bases: Bases::of(root),
    };
    let moved = view.decide_removed(&there, &mut done)?;
    for (file, planned, place) in there {
        let row = ManifestEntry::planned(plan, file, &planned);
        done.rows.insert(file.path.clone(), row);
        view.decide(file, &planned, place, moved.get(&file.path), &mut done)?;
    }
    view.leave_sidecars(&mut done)?;
    Ok(done)
}

/// The place of the person's version of a file that is still under its old name.
type Moved = BTreeMap<PathBuf, (PathBuf, FileRecord)>;

/// The inputs of the decisions.
struct SurveyInputs<'a, 'b> {
    root: &'b Folder,
    plan: &'a Plan,
    files: &'b BTreeMap<&'a Path, &'a OutputFile>,
    known: &'b PreviousFiles,
    output_kind: OutputKind,
    bases: Bases<'b>,
}

impl<'a> SurveyInputs<'a, '_> {
    /// Decide first which files go, because they may stand in the way of those that come. Returns the edited files that
    /// have another name now.
    fn decide_removed(
        &self,
        there: &[(&'a OutputFile, FileRecord, OutputState)],
        done: &mut Survey<'a>,
    ) -> Result<Moved, EmitError> {
        let root = self.root;
        let gone = self.known.iter().filter(|(path, one)| {
            !self.files.contains_key(path.as_path()) && one.row.beside.is_none()
        });
        // What can't be read now may be read by the next port, which then has to know what this one left.
        let (unread, gone): (Vec<_>, Vec<_>) = gone.partition(|(_, one)| self.is_unread(one, done));
        let unread = unread.into_iter();
        done.rows
            .extend(unread.map(|(path, one)| (path.clone(), one.row.clone())));
        let gone = parallel::map(gone, |(path, one)| (path, one, look(root, path)));
        let mut moved = Moved::new();
        for (path, one, place) in gone {
            let OutputState::Taken(found) = place.map_err(EmitError::early(path))? else {
                continue;
            };
            let is_edited = !one.record.same_content(&found);
            match (is_edited, self.is_in_the_way(path)) {
                (false, true) => done.clear.push((path.clone(), found)),
                (false, false) => done.remove.push((path.clone(), found)),
                (true, true) => done.refused.push(path.clone()),
                (true, false) => {
                    let new = there.iter().find(|(file, planned, place)| {
                        *place == OutputState::Free
                            && !self.known.contains_key(&file.path)
                            && !moved.contains_key(&file.path)
                            && is_same_file(one, file, planned)
                    });
                    match new {
                        Some((file, ..)) => {
                            moved.insert(file.path.clone(), (path.clone(), found));
                        }
                        None => done.findings.push(finding_on_kept_file(path)),
                    }
                }
            }
        }
        Ok(moved)
    }

    /// Whether the source of a file of the last port can't be read.
    fn is_unread(&self, one: &PreviousFile, done: &Survey<'_>) -> bool {
        let source = one.row.source.as_ref().and_then(super::PathText::to_path);
        source.is_some_and(|source| {
            let mut unread = self.plan.unread.iter();
            let mut failed = done.failed.iter();
            unread.any(|path| source.starts_with(path))
                || failed.any(|failed| failed.source.as_ref() == Some(&source))
        })
    }

    /// Whether the plan has a file where `path` has a folder, or a folder where `path` is.
    fn is_in_the_way(&self, path: &Path) -> bool {
        let mut above = path.ancestors().skip(1);
        above.any(|up| self.files.contains_key(up))
            // What lies below a path comes right after it.
            || self
                .files
                .range(path..)
                .next()
                .is_some_and(|(other, _)| other.starts_with(path))
    }

    fn decide(
        &self,
        file: &'a OutputFile,
        planned: &FileRecord,
        place: OutputState,
        moved: Option<&(PathBuf, FileRecord)>,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let path = &file.path;
        let cleared = |path: &Path| done.clear.iter().any(|(other, _)| other == path);
        let fresh = |mode| Placing {
            file,
            path: path.clone(),
            what: PlacedContent::Planned,
            mode,
            from: None,
            replaces: false,
        };
        match place {
            OutputState::Free => {
                let known = moved.and_then(|moved| Some((moved, self.known.get(&moved.0)?)));
                if let Some(((old, found), known)) = known {
                    return self.edited(file, planned, (old, found), known, done);
                }
                done.edits.restored += usize::from(self.known.contains_key(path));
                done.placings.push(fresh(None));
            }
            OutputState::Taken(found) => return self.decide_present(file, planned, &found, done),
            OutputState::Folder if self.holds_only_cleared(path, &done.clear) => {
                done.placings.push(fresh(None));
            }
            OutputState::Behind(link) if cleared(&link) => done.placings.push(fresh(None)),
            OutputState::Behind(_) => done.blocked.push(file),
            OutputState::Folder | OutputState::Special => done.refused.push(path.clone()),
        }
        Ok(())
    }

    /// Decide what becomes of a file that is there.
    fn decide_present(
        &self,
        file: &'a OutputFile,
        planned: &FileRecord,
        found: &FileRecord,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let path = &file.path;
        let known = self.known.get(path);
        let mode = merge::mode(
            known.and_then(|one| one.record.mode()),
            found.mode(),
            planned.mode(),
        );
        if found.same_content(planned) {
            done.same += 1;
            if let (Some(has), Some(wants)) = (found.mode(), mode)
                && has != wants
            {
                done.modes.push((file, has, wants));
            }
            return Ok(());
        }
        let edits_input =
            self.output_kind == OutputKind::Shared && file.source.as_ref() == Some(path);
        match known {
            Some(known) if !known.record.same_content(found) => {
                return self.edited(file, planned, (path, found), known, done);
            }
            None if !edits_input => return self.both_added(file, planned, done),
            _ => done.placings.push(Placing {
                file,
                path: path.clone(),
                what: PlacedContent::Planned,
                mode,
                from: None,
                replaces: true,
            }),
        }
        Ok(())
    }

    /// Whether a folder holds nothing but files that will be gone.
    fn holds_only_cleared(&self, folder: &Path, gone: &[(PathBuf, FileRecord)]) -> bool {
        let root = self.root.path();
        let gone: BTreeSet<&Path> = gone.iter().map(|(path, _)| path.as_path()).collect();
        WalkDir::new(root.join(folder)).into_iter().all(|entry| {
            entry.is_ok_and(|entry| {
                // A folder goes with the last of its files, so one without any stays.
                let path = entry.path().strip_prefix(root);
                let is_folder = entry.file_type().is_dir();
                path.is_ok_and(|path| {
                    let first = gone.range(path..).next();
                    first.is_some_and(|one| *one == path || is_folder && one.starts_with(path))
                })
            })
        })
    }
}

/// Whether a file of the plan is what the last port wrote under another name: it has the same
/// source, or the very content.
fn is_same_file(old: &PreviousFile, file: &OutputFile, planned: &FileRecord) -> bool {
    let source = old.row.source.as_ref().and_then(super::PathText::to_path);
    (source.is_some() && source == file.source) || old.record.same_content(planned)
}

/// The finding on an edited file that the port no longer has.
fn finding_on_kept_file(path: &Path) -> Finding {
    let shown = crate::config::display_path(path);
    Finding::whole(
        KEPT,
        &shown,
        format!("`{shown}` has edits of yours, and the port has no such file any more: it stays"),
    )
    .help("remove it, or keep it as a file of your own: the next port leaves it alone")
}
