//! The files of `CMake`'s that a file inherits from.

use super::super::BuildUnit;
use crate::project::paths;
use crate::syntax::cmake::Cmake;

/// The files of `CMake`'s in the folders above.
pub(super) fn above<'a>(unit: &BuildUnit<'a>) -> Vec<(&'a [u8], Cmake)> {
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
            let files = &unit.project.files;
            let file = files.iter().find(|one| one.path == path);
            if let Some(text) = file.and_then(|one| one.text.as_deref()) {
                found.push((text, Cmake::read(text)));
            }
        }
        first = false;
        if folder.is_empty() {
            return found;
        }
        folder = paths::folder(folder);
    }
}
