//! The files of `CMake`'s that a file inherits from.

use super::super::BuildUnit;
use crate::project::paths;
use crate::syntax::cmake::Cmake;

/// The files of `CMake`'s in the folders above.
pub(super) fn above<'a>(unit: &BuildUnit<'a>) -> Vec<(&'a [u8], &'a Cmake)> {
    let mut found = Vec::new();
    let mut folder = paths::folder(&unit.file.path);
    let own = paths::file_name(&unit.file.path) == "CMakeLists.txt";
    let mut first = true;
    loop {
        if !first || !own {
            let path = if folder.is_empty() {
                "CMakeLists.txt".to_owned()
            } else {
                format!("{folder}/CMakeLists.txt")
            };
            let project = unit.project;
            let at = project.places.file_at(&path);
            let text = at.and_then(|at| project.files.get(at)?.text.as_deref());
            found.extend(text.zip(at.and_then(|at| project.cmake(at))));
        }
        first = false;
        if folder.is_empty() {
            return found;
        }
        folder = paths::folder(folder);
    }
}
