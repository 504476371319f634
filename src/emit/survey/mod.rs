//! What a port does to each file of an output, decided before anything is written.
//!
//! A re-port does it, and a check says whether there is anything to do: both ask here.

mod edited;
mod sidecar;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::bases::Bases;
use super::record::{Place, Record, look};
use super::{Edits, EmitError, Failed, Manifest, OutputFile, Plan, Written, merge};
use crate::diagnostic::{Code, Finding, Severity};

/// A person's edit and the new port changed the same lines.
pub const CONFLICT: Code = Code {
    id: "PRJ040",
    severity: Severity::Error,
    title: "your edit and the new port changed the same lines",
};

/// Marks of a conflict that nobody has dealt with.
pub const UNRESOLVED: Code = Code {
    id: "PRJ041",
    severity: Severity::Error,
    title: "conflict of an earlier port, still unresolved",
};

/// A file that both changed and that can't be merged.
pub const BESIDE: Code = Code {
    id: "PRJ042",
    severity: Severity::Error,
    title: "yours and the port's version of a file lie side by side",
};

/// A file that a person changed and that has no source any more.
pub const KEPT: Code = Code {
    id: "PRJ043",
    severity: Severity::Warning,
    title: "file with your edits whose source is gone; kept",
};

/// Whose folder it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// The program's own output.
    Own,
    /// The input itself, which the program adds to.
    Shared,
}

/// One file that was written by the last port, or counts as such.
pub(super) struct Known {
    /// What the port wrote.
    pub(super) record: Record,
    /// The row of the manifest.
    pub(super) row: Written,
}

/// The files of the last port, by path.
pub(super) type Memory = BTreeMap<PathBuf, Known>;

/// What a manifest remembers. A row that can't be understood is left out: the file then counts as
/// a person's.
pub(super) fn memory(manifest: &Manifest) -> Memory {
    let rows = manifest.files.iter();
    rows.filter_map(|row| {
        let (path, record) = row.record()?;
        let row = row.clone();
        // A row that somebody has tampered with must not lead out of the output.
        is_plain(&path).then_some((path, Known { record, row }))
    })
    .collect()
}

fn is_plain(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

/// What a file is made of.
pub(super) enum What {
    /// The plan's content.
    Planned,
    /// These bytes: the port's and the person's together.
    Merged(Vec<u8>),
}

/// One file that is to be put in place.
pub(super) struct Placing<'a> {
    /// What the port makes.
    pub(super) file: &'a OutputFile,
    /// Where it goes, which may be beside the file's own path.
    pub(super) path: PathBuf,
    /// What it is made of.
    pub(super) what: What,
    /// Its permission bits, where they are not just the port's.
    pub(super) mode: Option<u32>,
    /// The file of another name that it comes from, with what that holds now.
    pub(super) from: Option<(PathBuf, Record)>,
    /// Whether something is there already.
    pub(super) replaces: bool,
}

/// What is to be done, once it is known that nothing is lost by it.
#[derive(Default)]
pub(super) struct Survey<'a> {
    /// What the next run is to remember of each file: the port's own version of it, whatever a
    /// person made of that.
    pub(super) rows: BTreeMap<PathBuf, Written>,
    /// The files to be put in place.
    pub(super) placings: Vec<Placing<'a>>,
    /// Files that have the right bytes and the wrong mode: the mode that they have and the one
    /// that they get.
    pub(super) modes: Vec<(&'a OutputFile, u32, u32)>,
    /// Files that stand where the plan wants a folder, or the other way round.
    pub(super) clear: Vec<(PathBuf, Record)>,
    /// Other files that the plan no longer has.
    pub(super) remove: Vec<(PathBuf, Record)>,
    /// Files whose source can't be read; what the last port made of them stays.
    pub(super) failed: Vec<Failed>,
    /// Files of a person's that the program can't keep: it does not know what they changed, or
    /// they stand in the way.
    pub(super) refused: Vec<PathBuf>,
    /// Files of the plan behind a link or a file.
    pub(super) blocked: Vec<&'a OutputFile>,
    /// Files in which a person and the port disagree, where that stops a run.
    pub(super) disputed: Vec<PathBuf>,
    /// What became of a person's edits.
    pub(super) edits: Edits,
    /// What the person has to look at.
    pub(super) findings: Vec<Finding>,
    /// How many files are what they should be.
    pub(super) same: usize,
}

/// Compare plan, memory and disk; nothing is changed.
///
/// # Errors
/// What the system says of the output.
pub(super) fn survey<'a>(
    plan: &'a Plan,
    files: &BTreeMap<&'a Path, &'a OutputFile>,
    known: &Memory,
    ground: Ground,
) -> Result<Survey<'a>, EmitError> {
    let root = &plan.output;
    let looked: Vec<_> = files
        .par_iter()
        .map(|(path, file)| (*file, Record::planned(plan, file), look(root, path)))
        .collect();
    let mut there = Vec::with_capacity(looked.len());
    let mut done = Survey::default();
    for (file, planned, place) in looked {
        let place = place.map_err(|error| EmitError::early(&file.path, error))?;
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
    let view = View {
        plan,
        files,
        known,
        ground,
        bases: Bases::of(root),
    };
    let moved = view.gone(&there, &mut done)?;
    for (file, planned, place) in there {
        let row = Written::new(&file.path, file.source.as_deref(), &planned);
        done.rows.insert(file.path.clone(), row);
        view.decide(file, &planned, place, moved.get(&file.path), &mut done)?;
    }
    view.leave_sidecars(&mut done)?;
    Ok(done)
}

/// Where the person's version of a file lies under its old name.
type Moved = BTreeMap<PathBuf, (PathBuf, Record)>;

/// What decisions are made from.
struct View<'a, 'b> {
    plan: &'a Plan,
    files: &'b BTreeMap<&'a Path, &'a OutputFile>,
    known: &'b Memory,
    ground: Ground,
    bases: Bases,
}

impl<'a> View<'a, '_> {
    /// What goes, first: it may stand in the way of what comes. Returns the edited files that have
    /// another name now.
    fn gone(
        &self,
        there: &[(&'a OutputFile, Record, Place)],
        done: &mut Survey<'a>,
    ) -> Result<Moved, EmitError> {
        let root = &self.plan.output;
        let gone: Vec<_> = self
            .known
            .par_iter()
            .filter(|(path, one)| {
                !self.files.contains_key(path.as_path()) && one.row.beside.is_none()
            })
            .map(|(path, one)| (path, one, look(root, path)))
            .collect();
        let mut moved = Moved::new();
        for (path, one, place) in gone {
            let Place::Taken(found) = place.map_err(|error| EmitError::early(path, error))? else {
                continue;
            };
            let is_edited = !one.record.same_content(&found);
            match (is_edited, self.is_in_the_way(path)) {
                (false, true) => done.clear.push((path.clone(), found)),
                (false, false) => done.remove.push((path.clone(), found)),
                (true, true) => done.refused.push(path.clone()),
                (true, false) => {
                    let new = there.iter().find(|(file, planned, place)| {
                        *place == Place::Free
                            && !self.known.contains_key(&file.path)
                            && !moved.contains_key(&file.path)
                            && is_same_file(one, file, planned)
                    });
                    match new {
                        Some((file, ..)) => {
                            moved.insert(file.path.clone(), (path.clone(), found));
                        }
                        None => done.findings.push(kept(path)),
                    }
                }
            }
        }
        Ok(moved)
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
        planned: &Record,
        place: Place,
        moved: Option<&(PathBuf, Record)>,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let path = &file.path;
        let cleared = |path: &Path| done.clear.iter().any(|(other, _)| other == path);
        let fresh = |mode| Placing {
            file,
            path: path.clone(),
            what: What::Planned,
            mode,
            from: None,
            replaces: false,
        };
        match place {
            Place::Free => match moved.and_then(|moved| Some((moved, self.known.get(&moved.0)?))) {
                Some(((old, found), known)) => {
                    return self.edited(file, planned, (old, found), known, done);
                }
                None => done.placings.push(fresh(None)),
            },
            Place::Taken(found) => return self.taken(file, planned, &found, done),
            Place::Folder if self.holds_only_cleared(path, &done.clear) => {
                done.placings.push(fresh(None));
            }
            Place::Behind(link) if cleared(&link) => done.placings.push(fresh(None)),
            Place::Behind(_) => done.blocked.push(file),
            Place::Folder | Place::Special => done.refused.push(path.clone()),
        }
        Ok(())
    }

    /// Decide what becomes of a file that is there.
    fn taken(
        &self,
        file: &'a OutputFile,
        planned: &Record,
        found: &Record,
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
        let edits_input = self.ground == Ground::Shared && file.source.as_ref() == Some(path);
        match known {
            Some(known) if !known.record.same_content(found) => {
                return self.edited(file, planned, (path, found), known, done);
            }
            None if !edits_input => return self.both_added(file, planned, done),
            _ => done.placings.push(Placing {
                file,
                path: path.clone(),
                what: What::Planned,
                mode,
                from: None,
                replaces: true,
            }),
        }
        Ok(())
    }

    /// Whether a folder holds nothing but files that will be gone.
    fn holds_only_cleared(&self, folder: &Path, gone: &[(PathBuf, Record)]) -> bool {
        let root = &self.plan.output;
        let gone: BTreeSet<&Path> = gone.iter().map(|(path, _)| path.as_path()).collect();
        WalkDir::new(root.join(folder)).into_iter().all(|entry| {
            entry.is_ok_and(|entry| {
                let path = entry.path().strip_prefix(root);
                entry.file_type().is_dir() || path.is_ok_and(|path| gone.contains(path))
            })
        })
    }
}

/// Whether a file of the plan is what the last port wrote under another name: it has the same
/// source, or the very content.
fn is_same_file(old: &Known, file: &OutputFile, planned: &Record) -> bool {
    let source = old.row.source.as_ref().and_then(super::PathText::to_path);
    (source.is_some() && source == file.source) || old.record.same_content(planned)
}

fn kept(path: &Path) -> Finding {
    let shown = crate::config::display_path(path);
    Finding::whole(
        KEPT,
        &shown,
        format!("`{shown}` has edits of yours, and the port has no such file any more: it stays"),
    )
    .help("remove it, or keep it as a file of your own: the next port leaves it alone")
}
