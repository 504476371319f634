//! Options of `CMake`'s in `pyproject.toml`, which a builder of wheels hands on: `cmake.define.CMAKE_CUDA_ARCHITECTURES = "80"`,
//! `cmake.args = ["-DCMAKE_CUDA_ARCHITECTURES=80"]`.

use super::BuildUnit;
use super::codes::CMAKE_OPTION_ADVICE;
use super::grouped_findings::GroupedFindings;
use torchada_diagnostic::codes::build::CMAKE_OPTION;
use torchada_syntax::defined_names;
use torchada_syntax::keyed::{Keyed, Notation, keyed};
use torchada_text::{TextRange, contains};

/// Report those that name CUDA to `CMake`. Options of the project's own stay.
pub(super) fn report(unit: &BuildUnit<'_>, findings: &mut GroupedFindings<'_>) {
    let scripts = &unit.context.knowledge.builds.scripts;
    let keys = [&scripts.cmake_defines, &scripts.cmake_arguments];
    let has_cmake = |key: &String| key.split('.').all(|part| contains(unit.text, part));
    if !keys.into_iter().any(has_cmake) {
        return;
    }
    for one in keyed(unit.text, Notation::Toml) {
        if let Some(name) = variable(unit, &one)
            && is_cudas(unit, &unit.shown(name))
            && !findings.is_handled(name)
        {
            findings.report(CMAKE_OPTION, name, CMAKE_OPTION_ADVICE);
        }
    }
}

/// The name of the variable that an entry sets.
fn variable(unit: &BuildUnit<'_>, one: &Keyed) -> Option<TextRange> {
    let scripts = &unit.context.knowledge.builds.scripts;
    let key = unit.shown(one.key);
    let path = [unit.shown(one.table), unit.shown(one.outer), key.clone()].join(".");
    let (holder, name) = path.rsplit_once('.')?;
    if holder
        .trim_end_matches('.')
        .ends_with(&scripts.cmake_defines)
    {
        let front = key.len().checked_sub(name.len())?;
        return Some(TextRange::new(one.key.start + front, one.key.end));
    }
    let option = one.value.of(unit.text);
    let is_option = path.ends_with(&scripts.cmake_arguments) && option.starts_with(b"-D");
    let name = defined_names(option).next().filter(|_| is_option)?;
    Some(name.shifted(one.value.start))
}

/// Whether a name is that of a variable of `CMake`'s for CUDA.
fn is_cudas(unit: &BuildUnit<'_>, name: &str) -> bool {
    let builds = &unit.context.knowledge.builds;
    let begins = |fronts: &[String]| fronts.iter().any(|front| name.starts_with(front.as_str()));
    begins(&builds.cmake.language_fronts)
        || builds.cmake.variables.contains_key(name)
        || begins(&builds.scripts.cmake_fronts) && !unit.project.has_word_in_cmake(name.as_bytes())
}
