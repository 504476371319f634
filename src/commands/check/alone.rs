//! Finds the project around a file that is looked at by itself: what its tree declares and includes is not known then.

use crate::mapping::has;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use crate::config::{Mode, Settings, display_path};
use crate::git;
use crate::mapping::files::BuildLanguage;
use crate::mapping::knowledge::Knowledge;
use crate::mapping::python::packages::Packages;

/// The folder of the project around a file that settings name without its tree, as a user would type it.
pub(super) fn project_around(settings: &Settings) -> Option<String> {
    let Mode::File {
        input, root: None, ..
    } = &settings.mode
    else {
        return None;
    };
    let top = match git::top(input.parent()?) {
        Some(top) => top.to_owned(),
        None => outermost_build(input)?,
    };
    let here = Path::new(".").canonicalize();
    Some(here.map_or_else(|_| display_path(&top), |here| typed(&here, &top)))
}

/// The outermost of the folders above a file, one in the other, that have a build file, from the first one that has.
fn outermost_build(file: &Path) -> Option<PathBuf> {
    let above = file
        .ancestors()
        .skip(1)
        .take_while(|folder| !is_shared(folder));
    let built = above.skip_while(|folder| !has_build_file(folder));
    let built = built.take_while(|folder| has_build_file(folder));
    built.last().map(Path::to_owned)
}

/// Whether anybody may write into a folder: it is no project's.
fn is_shared(folder: &Path) -> bool {
    const BY_ALL: u32 = 0o002;
    let found = folder.metadata();
    found.is_ok_and(|found| found.permissions().mode() & BY_ALL != 0)
}

fn has_build_file(folder: &Path) -> bool {
    let knowledge = Knowledge::builtin();
    let builds = &Packages::builtin().descriptions.builds;
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(Result::ok).any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let language = knowledge.files.language(&name);
        let is_build =
            language.is_some_and(BuildLanguage::compiles) || has(builds, name.as_bytes());
        is_build && entry.file_type().is_ok_and(|kind| kind.is_file())
    })
}

/// A folder as somebody would type it who stands in another. Both paths are canonical.
fn typed(here: &Path, folder: &Path) -> String {
    let path = match (folder.strip_prefix(here), here.strip_prefix(folder)) {
        (Ok(below), _) if below.as_os_str().is_empty() => PathBuf::from("."),
        (Ok(below), _) => below.to_owned(),
        (_, Ok(above)) => above.components().map(|_| Component::ParentDir).collect(),
        _ => folder.to_owned(),
    };
    display_path(&path)
}
