//! Compares an output with the port that a run would write now.
//!
//! Contents count, what links lead to, and the executable bit: what git keeps of a file. A person's
//! edits count as a port would leave them, merges included. Nothing is written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::record::{FileRecord, OutputState, look};
use super::survey::{
    OutputKind, PlacedContent, Placing, PreviousFile, PreviousFiles, Survey, previous_files, survey,
};
use super::{
    EditCounts, EmitError, Failed, MANIFEST, Manifest, ManifestEntry, OutputFile, Plan, TOOL,
    checked,
};
use crate::diagnostic::Finding;
use crate::files::{Folder, PathKind};
use crate::mapping::safety;
use crate::parallel;

/// One file that is not what a port would make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differs<'a> {
    /// The path in the output, relative to its root; `None` where the file is missing.
    pub old: Option<PathBuf>,
    /// The file that a port would write; `None` if it would write none.
    pub new: Option<New<'a>>,
    /// Whether the file has edits of a person's that would stop a port.
    pub edited: bool,
    /// Whether a folder, or what is neither a file nor a link, stands in its place and would stop a port.
    pub in_the_way: bool,
}

/// A file that a port would write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct New<'a> {
    /// The file of the plan.
    pub file: &'a OutputFile,
    /// The path in the output, which may be beside the file's own.
    pub path: PathBuf,
    /// The bytes of the file, where a person's edits are in them.
    pub merged: Option<Vec<u8>>,
}

/// A file's bytes before and after.
pub type Rewritten = (Vec<u8>, Vec<u8>);

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Compared<'a> {
    /// The number of files that are as a port would make them.
    pub same: usize,
    /// The others, by their path.
    pub differs: Vec<Differs<'a>>,
    /// The number of files that no port wrote and none would touch.
    pub own: usize,
    /// Counts of a person's edits, as a port would treat them.
    pub edits: EditCounts,
    /// The files whose edits a port would keep or merge, by their path.
    pub edited: Vec<PathBuf>,
    /// Findings about disagreements between a person's edits and the port: new ones, and those that are not resolved
    /// yet.
    pub findings: Vec<Finding>,
    /// Whether the output has a manifest.
    pub has_manifest: bool,
    /// The program that wrote the manifest, if it is another version than this.
    pub other_program: Option<String>,
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
    let files = checked::check(plan)?;
    let opened = Folder::open(&plan.output);
    let root = &opened.map_err(EmitError::early(&plan.output))?;
    let manifest = match root.look(Path::new(MANIFEST)) {
        Ok(PathKind::Nothing) | Err(_) => None,
        Ok(_) => Some(Manifest::read_in(root)?),
    };
    let known = match &manifest {
        Some(manifest) => previous_files(manifest),
        None => assumed(root, there, files.keys().copied())?,
    };
    let output_kind = if plan.input == plan.output {
        OutputKind::Shared
    } else {
        OutputKind::Own
    };
    let mut work = survey(root, plan, &files, &known, output_kind)?;
    let mut compared = Compared {
        has_manifest: manifest.is_some(),
        other_program: manifest
            .as_ref()
            .map(|manifest| manifest.tool.clone())
            .filter(|program| program != TOOL),
        same: work.same,
        edits: work.edits,
        edited: std::mem::take(&mut work.edited),
        findings: std::mem::take(&mut work.findings),
        failed: std::mem::take(&mut work.failed),
        ..Compared::default()
    };
    compared.note_differences(root, &mut work, &files);
    if manifest.is_some() {
        let own = |path: &&PathBuf| {
            !known.contains_key(path.as_path()) && !files.contains_key(path.as_path())
        };
        compared.own = there.iter().filter(own).count();
    }
    pair(root, plan, &mut compared.differs, &known);
    compared.edited.sort();
    compared.differs.sort_by(|a, b| a.path().cmp(b.path()));
    if let Some(manifest) = manifest
        && compared.differs.is_empty()
        && compared.failed.is_empty()
    {
        compared.manifest = renewed(root, &manifest, &known, &work.rows)?;
    }
    Ok(compared)
}

impl<'a> Compared<'a> {
    /// Note the files that a port would change, and those that stop it.
    fn note_differences(
        &mut self,
        root: &Folder,
        work: &mut Survey<'a>,
        files: &BTreeMap<&'a Path, &'a OutputFile>,
    ) {
        let placings = std::mem::take(&mut work.placings).into_iter();
        self.differs.extend(placings.map(differs));
        let new = |file: &'a OutputFile| New {
            file,
            path: file.path.clone(),
            merged: None,
        };
        for (file, has, wants) in &work.modes {
            // Who may read a file is nothing that git keeps.
            if has & 0o100 != wants & 0o100 {
                self.same -= 1;
                let old = Some(file.path.clone());
                self.differs.push(Differs::of(old, Some(new(file))));
            }
        }
        for (path, _) in work.clear.iter().chain(&work.remove) {
            self.differs.push(Differs::of(Some(path.clone()), None));
        }
        // What stands in the way is spoken of by its own path.
        for file in &work.blocked {
            self.differs.push(Differs::of(None, Some(new(file))));
        }
        for path in work.refused.iter().chain(&work.disputed) {
            let there = look(root, path);
            let is_file = matches!(there, Ok(OutputState::Taken(_)));
            self.differs.push(Differs {
                old: is_file.then(|| path.clone()),
                new: files.get(path.as_path()).copied().map(new),
                edited: is_file && self.has_manifest,
                in_the_way: matches!(there, Ok(OutputState::Folder | OutputState::Special)),
            });
        }
    }
}

impl<'a> Differs<'a> {
    /// A file that no edits of a person's are in, and no folder stands in the way of.
    fn of(old: Option<PathBuf>, new: Option<New<'a>>) -> Self {
        Self {
            old,
            new,
            edited: false,
            in_the_way: false,
        }
    }

    /// The path by which it is known.
    pub fn path(&self) -> &Path {
        let new = self.new.as_ref().map(|new| new.path.as_path());
        new.or(self.old.as_deref()).unwrap_or(Path::new(""))
    }

    /// Whether the file would get another name.
    pub fn is_renamed(&self) -> bool {
        matches!((&self.old, &self.new), (Some(old), Some(new)) if *old != new.path)
    }
}

fn differs(placing: Placing<'_>) -> Differs<'_> {
    let old = match placing.from {
        Some((old, _)) => Some(old),
        None => placing.replaces.then(|| placing.path.clone()),
    };
    let new = New {
        file: placing.file,
        path: placing.path,
        merged: match placing.what {
            PlacedContent::Planned => None,
            PlacedContent::Merged(bytes) => Some(bytes),
        },
    };
    Differs::of(old, Some(new))
}

/// The files that count as an earlier port's if there is no manifest.
fn assumed<'a>(
    root: &Folder,
    there: &'a [PathBuf],
    planned: impl Iterator<Item = &'a Path>,
) -> Result<PreviousFiles, EmitError> {
    let paths: BTreeSet<&Path> = there.iter().map(PathBuf::as_path).chain(planned).collect();
    let looked = parallel::map(paths, |path| (path, look(root, path)));
    let mut known = PreviousFiles::new();
    for (path, place) in looked {
        if let OutputState::Taken(record) = place.map_err(EmitError::early(path))? {
            let row = ManifestEntry::new(path, None, &record);
            known.insert(path.to_owned(), PreviousFile { record, row });
        }
    }
    Ok(known)
}

/// Take a file that is missing and one that would go for one that has another name: where the
/// manifest gives both the same source, where one of the names is the source's, or where they
/// hold the same.
fn pair(root: &Folder, plan: &Plan, differs: &mut Vec<Differs<'_>>, known: &PreviousFiles) {
    let source_of = |path: &Path| known.get(path)?.row.source.as_ref()?.to_path();
    let hash = |path: &Path| match look(root, path) {
        Ok(OutputState::Taken(record)) => Some(record),
        _ => None,
    };
    let (mut gone, mut others): (Vec<_>, Vec<_>) = std::mem::take(differs)
        .into_iter()
        .partition(|one| one.new.is_none());
    for one in &mut others {
        let Some(New { file, .. }) = one.new.as_ref().filter(|_| one.old.is_none()) else {
            continue;
        };
        let source = file.source.as_ref();
        let of = |test: &dyn Fn(&PathBuf) -> bool| {
            let mut old = gone.iter().map(|gone| &gone.old);
            old.position(|old| old.as_ref().is_some_and(test))
        };
        let found = of(&|old| source.is_some() && source_of(old).as_ref() == source)
            .or_else(|| of(&|old| source == Some(old)))
            .or_else(|| {
                let planned = FileRecord::planned(plan, file).ok()?;
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
    root: &Folder,
    manifest: &Manifest,
    known: &PreviousFiles,
    rows: &BTreeMap<PathBuf, ManifestEntry>,
) -> Result<Option<Rewritten>, EmitError> {
    let is_same = |old: &ManifestEntry, new: &ManifestEntry| {
        let bits = |row: &ManifestEntry| Some(row.record()?.1.mode()? & 0o100);
        // Older ports did not say what they were made of.
        let says_source = old.source_blake3.is_some();
        let plain = |row: &ManifestEntry| ManifestEntry {
            mode: None,
            source_blake3: row.source_blake3.clone().filter(|_| says_source),
            ..row.clone()
        };
        plain(old) == plain(new) && bits(old) == bits(new)
    };
    let mut new = manifest.clone();
    new.files = rows
        .iter()
        .map(|(path, row)| {
            let old = known.get(path).map(|known| &known.row);
            old.filter(|old| is_same(old, row)).unwrap_or(row).clone()
        })
        .collect();
    let mut old = manifest.clone();
    old.files.sort_by(|a, b| a.path.cmp(&b.path));
    new.files.sort_by(|a, b| a.path.cmp(&b.path));
    if old == new {
        return Ok(None);
    }
    let path = Path::new(MANIFEST);
    let bytes = root.read(path, safety::BYTES_MANIFEST);
    let bytes = bytes.map_err(EmitError::early(path))?;
    let mut rewritten = Vec::new();
    new.write(&mut rewritten).map_err(EmitError::early(path))?;
    Ok(Some((bytes, rewritten)))
}
