//! Is an output what a port would make it now?
//!
//! Contents count, what links lead to, and the executable bit: what git keeps of a file. Nothing is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::record::{Place, Record, look};
use super::{EmitError, Failed, MANIFEST, Manifest, OutputFile, Plan, checked};

/// One file that is not what a port would make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differs<'a> {
    /// Where it is in the output, relative to its root; `None` where it is missing.
    pub old: Option<PathBuf>,
    /// What a port would write; `None` where it would write nothing.
    pub new: Option<&'a OutputFile>,
    /// Whether somebody changed it since the last port. Without a manifest nobody knows.
    pub edited: bool,
}

/// A file's bytes before and after.
pub type Rewritten = (Vec<u8>, Vec<u8>);

/// What a comparison came to.
#[derive(Clone, Debug, Default)]
pub struct Compared<'a> {
    /// How many files are what a port would make them.
    pub same: usize,
    /// The others, by their path.
    pub differs: Vec<Differs<'a>>,
    /// How many files are there that no port wrote and none would touch.
    pub own: usize,
    /// Whether the output has a manifest.
    pub has_manifest: bool,
    /// The manifest's bytes and those with the list of files that a port would write, where only
    /// that list differs.
    pub manifest: Option<Rewritten>,
    /// Files whose source can't be read.
    pub failed: Vec<Failed>,
}

/// Compare a plan with what its output holds. `there` lists the files of the output, relative to
/// its root, for an output without a manifest: all of them count as an earlier port's then.
///
/// # Errors
/// A plan that can't be written, or an output or manifest that can't be read.
pub fn compare<'a>(plan: &'a Plan, there: &[PathBuf]) -> Result<Compared<'a>, EmitError> {
    let root = &plan.output;
    let files = checked::check(plan)?;
    let manifest = match root.join(MANIFEST).symlink_metadata() {
        Ok(_) => Some(Manifest::read(root)?),
        Err(_) => None,
    };
    let known: Option<BTreeMap<PathBuf, Record>> =
        manifest.as_ref().map(|known| known.records().collect());
    let mut compared = Compared {
        has_manifest: manifest.is_some(),
        ..Compared::default()
    };
    let is_edited = |path: &Path, found: &Record| {
        known.as_ref().is_some_and(|known| {
            let record = known.get(path);
            record.is_none_or(|record| !record.same_content(found))
        })
    };

    let looked: Vec<_> = files
        .par_iter()
        .map(|(path, file)| (*file, Record::planned(plan, file), look(root, path)))
        .collect();
    let mut rows = Vec::new();
    for (file, planned, place) in looked {
        let path = &file.path;
        let planned = match planned {
            Ok(planned) => planned,
            Err(error) => {
                compared.failed.push(Failed::new(file, &error));
                continue;
            }
        };
        match place.map_err(|error| EmitError::early(path, error))? {
            Place::Taken(found) if is_same(&found, &planned) => compared.same += 1,
            Place::Taken(found) => compared.differs.push(Differs {
                old: Some(path.clone()),
                new: Some(file),
                edited: is_edited(path, &found),
            }),
            // What stands in the way is spoken of by its own path.
            Place::Free | Place::Folder | Place::Special | Place::Behind(_) => {
                compared.differs.push(Differs {
                    old: None,
                    new: Some(file),
                    edited: false,
                });
            }
        }
        rows.push((file, planned));
    }

    let candidates: BTreeSet<&PathBuf> = match &known {
        Some(known) => {
            let own = |path: &&PathBuf| {
                !known.contains_key(path.as_path()) && !files.contains_key(path.as_path())
            };
            compared.own = there.iter().filter(own).count();
            known.keys().collect()
        }
        None => there.iter().collect(),
    };
    for path in candidates {
        if files.contains_key(path.as_path()) {
            continue;
        }
        let place = look(root, path).map_err(|error| EmitError::early(path, error))?;
        if let Place::Taken(found) = place {
            compared.differs.push(Differs {
                old: Some(path.clone()),
                new: None,
                edited: is_edited(path, &found),
            });
        }
    }
    pair(plan, &mut compared.differs, manifest.as_ref());
    compared.differs.sort_by(|a, b| a.path().cmp(b.path()));
    if let Some(manifest) = manifest
        && compared.differs.is_empty()
        && compared.failed.is_empty()
    {
        compared.manifest = renewed(root, &manifest, &rows)?;
    }
    Ok(compared)
}

impl Differs<'_> {
    /// The path by which it is known.
    pub fn path(&self) -> &Path {
        let new = self.new.map(|file| file.path.as_path());
        new.or(self.old.as_deref()).unwrap_or(Path::new(""))
    }

    /// Whether it would have another name.
    pub fn is_renamed(&self) -> bool {
        matches!((&self.old, self.new), (Some(old), Some(new)) if *old != new.path)
    }
}

/// Whether a file holds what it should, as far as git keeps it.
fn is_same(found: &Record, planned: &Record) -> bool {
    found.same_content(planned)
        && match (found, planned) {
            (Record::File { mode: Some(a), .. }, Record::File { mode: Some(b), .. }) => {
                a & 0o100 == b & 0o100
            }
            _ => true,
        }
}

/// Take a file that is missing and one that would go for one that has another name: where the
/// manifest gives both the same source, where one of the names is the source's, or where they
/// hold the same.
fn pair(plan: &Plan, differs: &mut Vec<Differs<'_>>, manifest: Option<&Manifest>) {
    let sources: BTreeMap<PathBuf, PathBuf> = manifest
        .iter()
        .flat_map(|manifest| &manifest.files)
        .filter_map(|file| Some((file.path.to_path()?, file.source.as_ref()?.to_path()?)))
        .collect();
    let hash = |path: &Path| match look(&plan.output, path) {
        Ok(Place::Taken(record)) => Some(record),
        _ => None,
    };
    let (mut gone, mut others): (Vec<_>, Vec<_>) = std::mem::take(differs)
        .into_iter()
        .partition(|one| one.new.is_none());
    for one in &mut others {
        let Some(file) = one.new.filter(|_| one.old.is_none()) else {
            continue;
        };
        let source = file.source.as_ref();
        let of = |test: &dyn Fn(&PathBuf) -> bool| {
            let mut old = gone.iter().map(|gone| &gone.old);
            old.position(|old| old.as_ref().is_some_and(test))
        };
        let found = of(&|old| source.is_some() && sources.get(old) == source)
            .or_else(|| of(&|old| source == Some(old)))
            .or_else(|| {
                let planned = Record::planned(plan, file).ok()?;
                of(&|old| hash(old).is_some_and(|found| found.same_content(&planned)))
            });
        if let Some(at) = found {
            let other = gone.remove(at);
            one.old = other.old;
            one.edited = other.edited;
        }
    }
    others.append(&mut gone);
    *differs = others;
}

/// The manifest's bytes before and after, where a port would write another list of files. Its
/// version and settings stay, and modes do as far as git keeps them.
fn renewed(
    root: &Path,
    manifest: &Manifest,
    rows: &[(&OutputFile, Record)],
) -> Result<Option<Rewritten>, EmitError> {
    let known: BTreeMap<PathBuf, Record> = manifest.records().collect();
    let mut new = Manifest {
        files: Vec::new(),
        ..manifest.clone()
    };
    for (file, record) in rows {
        let old = known.get(&file.path).filter(|old| is_same(old, record));
        new.add(&file.path, file.source.as_deref(), old.unwrap_or(record));
    }
    let mut old = manifest.clone();
    old.files.sort_by(|a, b| a.path.cmp(&b.path));
    new.files.sort_by(|a, b| a.path.cmp(&b.path));
    if old == new {
        return Ok(None);
    }
    let path = root.join(MANIFEST);
    let bytes = std::fs::read(&path).map_err(|error| EmitError::early(&path, error))?;
    Ok(Some((bytes, new.bytes())))
}
