//! The files of `CMake`'s that a file inherits from.

use rustc_hash::FxHashSet;

use crate::build::BuildUnit;
use torchada_mapping::builds::DeclaringCommands;
use torchada_mapping::has;
use torchada_project::paths;
use torchada_syntax::cmake::Cmake;

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

/// The names that files give a value, or make targets of.
pub(super) fn declared_in<'f>(
    declaring: &DeclaringCommands,
    files: impl Iterator<Item = (&'f [u8], &'f Cmake)>,
) -> FxHashSet<&'f [u8]> {
    let mut found = FxHashSet::default();
    for (text, file) in files {
        for one in &file.commands {
            let mut arguments = one.arguments.iter().map(|one| one.inner.of(text));
            let name = one.lower_name();
            let is_among = |list: &[String]| has(list, name);
            if is_among(&declaring.first) {
                found.extend(arguments.next());
            } else if is_among(&declaring.second) {
                found.extend(arguments.nth(1));
            } else if is_among(&declaring.all) {
                found.extend(arguments);
            }
        }
    }
    found
}
