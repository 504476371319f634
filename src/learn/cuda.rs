//! Where CUDA's own headers are on a machine.

use std::path::{Path, PathBuf};

use super::listing::Root;
use crate::machine::Environment;
use crate::mapping::learn::{CudaPlaces, LearnTable};

/// CUDA's folders with headers: those of the folder that the user named, else of the first variable that names one, else
/// of the usual places, else of the packages in the folder where a Python installs packages.
pub(super) fn roots(
    argument: Option<&Path>,
    environment: &Environment,
    packages: &[PathBuf],
) -> Vec<Root> {
    let table = &LearnTable::builtin().cuda;
    if let Some(argument) = argument {
        return below(argument, table);
    }
    let variables = table.variables.iter();
    let named = variables.filter_map(|name| environment.variable(name).map(PathBuf::from));
    let usual = table.places.iter().map(|place| environment.place(place));
    let mut places = named.chain(usual).map(|place| below(&place, table));
    if let Some(found) = places.find(|roots| !roots.is_empty()) {
        return found;
    }
    let installed = packages.iter().flat_map(|packages| {
        let folder = packages.join(&table.packages);
        let entries = walkdir::WalkDir::new(folder).min_depth(1).max_depth(1);
        let entries = entries.sort_by_file_name().into_iter().flatten();
        entries.map(|entry| entry.path().join(&table.packages_include))
    });
    installed
        .filter(|folder| folder.is_dir())
        .map(root)
        .collect()
}

fn below(place: &Path, table: &CudaPlaces) -> Vec<Root> {
    // The user may name the folder with the headers itself.
    let own = std::iter::once(place.to_owned());
    let folders = table.include.iter().map(|include| place.join(include));
    let has_mark = |folder: &PathBuf| table.marks.iter().any(|mark| folder.join(mark).is_file());
    folders
        .chain(own)
        .find(has_mark)
        .map(root)
        .into_iter()
        .collect()
}

fn root(folder: PathBuf) -> Root {
    Root {
        within: folder.clone(),
        shown: format!("{}/", folder.display()),
        front: String::new(),
        folder,
    }
}
