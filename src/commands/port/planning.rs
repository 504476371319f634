//! Makes the plan of a port: each output file with its path and content.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::commands::analysis::TranslatedTree;
use crate::config::{Mode, Settings};
use crate::edit::{PortMap, PortMapBuilder};
use crate::emit::{Content, Edited, OutputFile, Plan};
use crate::parallel;
use crate::project::{FileText, Project, Source, paths};
use crate::walk::{Entry, EntryKind, SkipReason};

/// The plan of a port.
pub(super) fn plan(settings: &Settings, done: &TranslatedTree) -> Plan {
    let root = done.walk.root.clone();
    let output = match &settings.mode {
        Mode::Tree { output, .. } | Mode::Part { output, .. } => output.clone(),
        _ => root.clone(),
    };
    let listed = done
        .walk
        .files
        .iter()
        .zip(&done.project.files)
        .zip(&done.translated);
    let planned = parallel::flat_map(listed, |((entry, source), translated)| {
        let path = output_path(settings, entry, source)?;
        let content = match &entry.kind {
            EntryKind::Link(target) => Content::Link(
                retarget(&done.project, source, target).unwrap_or_else(|| target.clone()),
            ),
            EntryKind::File if translated.is_changed() => {
                let text = source.text.as_ref();
                let old = text.map(FileText::once).unwrap_or_default();
                let hash = text.and_then(FileText::hash).map(Into::into);
                Content::Edited(Edited::new(translated.edits.clone(), &old, hash))
            }
            EntryKind::File => Content::Copy,
        };
        let untouched = content == Content::Copy && path == entry.path;
        let in_place = matches!(settings.mode, Mode::InPlace { .. });
        (!(in_place && untouched)).then(|| OutputFile {
            source: Some(entry.path.clone()),
            path,
            content,
        })
    });
    let skipped = done.walk.skipped.iter();
    let unread =
        skipped.filter(|one| matches!(one.reason, SkipReason::Unreadable | SkipReason::Submodule));
    Plan {
        files: planned,
        input: root,
        output,
        on_conflict: settings.on_conflict.value,
        unread: unread.map(|one| one.path.clone()).collect(),
    }
}

/// The map of the edits of a port.
pub(super) fn map(settings: &Settings, done: &TranslatedTree) -> PortMap {
    let mut map = PortMapBuilder::default();
    let listed = done.walk.files.iter().zip(&done.project.files);
    for ((entry, source), translated) in listed.zip(&done.translated) {
        let path = output_path(settings, entry, source).filter(|_| translated.is_changed());
        if let (Some(path), Some(text)) = (path, &source.text) {
            let text = text.once();
            map.add(path.as_os_str().as_bytes(), &text, &translated.edits);
        }
    }
    map.finish()
}

/// The path of a file, relative to the output; `None` for a file that is not written.
fn output_path(settings: &Settings, entry: &Entry, source: &Source) -> Option<PathBuf> {
    if !settings.mode.takes(&entry.path) {
        return None;
    }
    let moved = settings.mode.moved(&entry.path);
    let mut path = moved.unwrap_or_else(|| entry.path.clone());
    let (old, new) = (
        paths::file_name(&source.path),
        paths::file_name(&source.output),
    );
    if old != new {
        path.set_file_name(renamed(path.file_name().unwrap_or_default(), old, new));
    }
    match &settings.mode {
        Mode::Part { subdir, .. } => path.strip_prefix(subdir).ok().map(Path::to_owned),
        _ => Some(path),
    }
}

/// A file's name with another ending. `old` and `new` are what people see of it, which is not all where a name
/// is no UTF-8.
fn renamed(name: &OsStr, old: &str, new: &str) -> OsString {
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b);
    let same = same.count();
    let (old_end, new_end) = (old.as_bytes().get(same..), new.as_bytes().get(same..));
    let front = old_end.and_then(|end| name.as_bytes().strip_suffix(end));
    match (front, new_end) {
        (Some(front), Some(end)) => OsString::from_vec([front, end].concat()),
        _ => OsString::from(new),
    }
}

/// A link follows the file that it leads to.
fn retarget(project: &Project, link: &Source, target: &Path) -> Option<PathBuf> {
    let led = paths::link_target(&link.path, target)?;
    let file = project.files.get(project.places.file_at(&led)?)?;
    (file.path != file.output)
        .then(|| PathBuf::from(paths::relative(paths::folder(&link.output), &file.output)))
}
