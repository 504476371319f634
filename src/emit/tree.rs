//! Writes a whole output tree.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::bases;
use super::map::MAP;
use super::record::FileRecord;
use super::staging::{self, Staging, WriteParts};
use super::survey::OutputKind;
use super::write::{self, Durable};
use super::{
    EmitError, Emitted, Failed, MANIFEST, Manifest, ManifestEntry, OutputFile, Plan, REPORT,
    STATE_DIR, Stamp, checked, resume, update,
};
use crate::files::{Folder, PathKind};
use crate::parallel;
use crate::progress::Phase;

/// Write the plan to its output, with manifest and report under `.torchada/`.
///
/// A new output is built aside and renamed into place once. Over the output of an earlier port
/// each file is replaced atomically, unchanged ones are not touched, and files that the plan no
/// longer has are removed.
///
/// # Errors
/// [`EmitError`]; all but one that has [`EmitError::begun`] leave the output as it was.
pub fn tree(plan: &Plan, stamp: &Stamp<'_>) -> Result<Emitted, EmitError> {
    let files = checked::check(plan)?;
    resume(&plan.output)?;
    match state(&plan.output)? {
        OutputFolderState::Free => fresh(plan, &files, stamp),
        OutputFolderState::Ours(root) => update::update(plan, &files, stamp, root, OutputKind::Own),
        OutputFolderState::Foreign => Err(EmitError::NotOurs(plan.output.clone())),
    }
}

/// The state of an output folder: free, or in use by another run.
enum OutputFolderState {
    /// Nothing is at the path, or an empty folder.
    Free,
    /// An earlier port's output.
    Ours(Folder),
    /// Anything else.
    Foreign,
}

fn state(output: &Path) -> Result<OutputFolderState, EmitError> {
    let found = match output.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(OutputFolderState::Free);
        }
        Err(error) => return Err(EmitError::early(output)(error)),
    };
    if found.is_symlink() {
        return Err(EmitError::Linked(output.to_owned()));
    }
    if !found.is_dir() {
        return Ok(OutputFolderState::Foreign);
    }
    let root = Folder::open(output).map_err(EmitError::early(output))?;
    if matches!(root.look(Path::new(MANIFEST)), Ok(PathKind::File { .. })) {
        return Ok(OutputFolderState::Ours(root));
    }
    let entries = root.entries();
    let entries = entries.map_err(EmitError::early(output))?;
    Ok(if entries.is_empty() {
        OutputFolderState::Free
    } else {
        OutputFolderState::Foreign
    })
}

/// Build a new output aside and rename it into place.
fn fresh(
    plan: &Plan,
    files: &BTreeMap<&Path, &OutputFile>,
    stamp: &Stamp<'_>,
) -> Result<Emitted, EmitError> {
    let parent = plan.output.parent().unwrap_or(Path::new("/"));
    let no_parent = staging::parent(parent);
    std::fs::create_dir_all(parent).map_err(&no_parent)?;
    let staging = Staging::beside(Folder::open(parent).map_err(&no_parent)?, &plan.output)?;
    let early = EmitError::early(&plan.output);
    // The staging folder is for its owner only; the one inside it has the mode of any folder.
    let tree = Path::new("tree");
    staging.folder().make(tree).map_err(early)?;
    let root = staging.folder().folder(tree).map_err(early)?;
    make_folders(&root, files).map_err(early)?;
    stamp.progress.begin(Phase::Write, Some(files.len()));
    let mut packs: BTreeMap<u8, Vec<&OutputFile>> = BTreeMap::new();
    for (path, file) in files {
        packs.entry(bases::number(path)).or_default().push(file);
    }
    let written = parallel::map(packs, |(number, files)| {
        write_pack(plan, &root, number, &files, stamp)
    });
    let mut emitted = Emitted {
        findings: checked::case_twins(files),
        ..Emitted::default()
    };
    let mut manifest = Manifest::new(stamp);
    for pack in written {
        for (file, outcome) in pack.map_err(early)? {
            match outcome {
                Ok(record) => {
                    manifest.add(ManifestEntry::planned(plan, file, &record));
                    emitted.written += 1;
                }
                Err(error) if write::is_fatal(&error) => return Err(early(error)),
                Err(error) => {
                    // What a failed write left is no file of the output.
                    root.remove(&file.path).map_err(early)?;
                    emitted.failed.push(Failed::new(file, &error));
                }
            }
        }
    }
    emitted.failed.sort_by(|a, b| a.path.cmp(&b.path));
    put_own_files(&root, stamp, &emitted, &manifest).map_err(early)?;
    let name = Path::new(plan.output.file_name().unwrap_or(OsStr::new("")));
    let placed = staging.folder().rename(tree, staging.root(), name);
    placed.map_err(|error| match error.kind() {
        io::ErrorKind::DirectoryNotEmpty
        | io::ErrorKind::AlreadyExists
        | io::ErrorKind::NotADirectory => EmitError::NotOurs(plan.output.clone()),
        _ => early(error),
    })?;
    staging.release();
    Ok(emitted)
}

/// Make the folders of files, and the program's own.
fn make_folders(root: &Folder, files: &BTreeMap<&Path, &OutputFile>) -> io::Result<()> {
    let all = files.keys().flat_map(|path| path.ancestors().skip(1));
    let folders: BTreeSet<&Path> = all.filter(|one| !one.as_os_str().is_empty()).collect();
    for folder in folders {
        root.make(folder)?;
    }
    root.make(Path::new(STATE_DIR)).map(drop)
}

/// Write the report, the map and, as the last of all files, the manifest.
fn put_own_files(
    root: &Folder,
    stamp: &Stamp<'_>,
    emitted: &Emitted,
    manifest: &Manifest,
) -> io::Result<()> {
    if let Some(report) = stamp.report {
        put(root, REPORT, &|out| report(emitted, out))?;
    }
    if let Some(map) = stamp.map {
        put(root, MAP, &|out| out.write_all(map))?;
    }
    put(root, MANIFEST, &|out| manifest.write(out))
}

/// Write one of the program's own files of a new output.
fn put(root: &Folder, name: &str, write: &WriteParts<'_>) -> io::Result<()> {
    staging::write_parts(root, Path::new(name), write).map(drop)
}

/// The outcome for each file of a pack.
type Outcomes<'a> = Vec<(&'a OutputFile, io::Result<FileRecord>)>;

/// Write files of a new tree, and the pack that keeps their texts.
fn write_pack<'a>(
    plan: &Plan,
    root: &Folder,
    number: u8,
    files: &[&'a OutputFile],
    stamp: &Stamp<'_>,
) -> io::Result<Outcomes<'a>> {
    let mut outcomes = Outcomes::new();
    let mut frames = BTreeMap::new();
    for file in files {
        let made = write::make(plan, file, root, &file.path, None, Durable::No);
        stamp.progress.step();
        let outcome = match made {
            Ok(made) => {
                if let Some(frame) = made.frame() {
                    frames.insert(file.path.clone(), frame);
                }
                Ok(made.record)
            }
            Err(error) => Err(error),
        };
        outcomes.push((*file, outcome));
    }
    bases::fresh(root, number, &frames)?;
    Ok(outcomes)
}
