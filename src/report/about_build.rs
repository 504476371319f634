//! Tells findings about builds from others.

use crate::mapping::knowledge::Knowledge;

/// What the codes of findings in files of a build start with.
const BUILD: &str = "BLD";

/// Whether a finding is about a build: in a file of a build system's, or in a module that builds a package of Python's.
pub(super) fn is_about_build(code: &str, path: &str) -> bool {
    code.starts_with(BUILD) || Knowledge::builtin().python_values.entry.is_build(path)
}
