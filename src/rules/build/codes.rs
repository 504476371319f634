//! The messages of findings in scripts and lists of packages.

use torchada_diagnostic::codes::build::PACKAGE;
use torchada_diagnostic::{Code, codes};
use torchada_mapping::python::packages::PackageRelation;

/// What to do then.
pub const OTHER_GPUS: &str = "name the GPUs that the port is for, and leave the others out";

/// What to do about such an option.
pub const CMAKE_OPTION_ADVICE: &str =
    "see what the ported CMakeLists.txt takes in its place: MUSA has no language of CMake's own";

/// The message about a package that `list` requires.
pub fn required(relation: PackageRelation, list: &str, many: bool) -> String {
    let are = if many { "are" } else { "is" };
    match relation {
        PackageRelation::Kernels => {
            format!("{list} {are} required, a package with CUDA kernels of its own")
        }
        PackageRelation::Twin => {
            format!("{list} {are} required, a package that has to be MUSA's build of it")
        }
        _ => sentence(PACKAGE, list, many),
    }
}

/// The message about several things of one class, with `list` in it.
pub fn sentence(code: Code, list: &str, many: bool) -> String {
    let listed = codes::MESSAGES.iter().find(|(id, ..)| *id == code.id);
    let text = listed.map_or(
        "{list}",
        |(_, one, several)| if many { several } else { one },
    );
    text.replace("{list}", list)
}
