//! C++ for CUDA in strings: source for run-time compilers, templates and generators.

mod forms;
pub mod source_names;
mod source_strings;
mod translate;
mod written_files;

use super::PythonUnit;
use crate::Outcome;

/// Code in strings.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let table = &unit.context.knowledge.embedded;
    let sources = source_strings::all(unit, table);
    let mut headers: Vec<String> = Vec::new();
    for source in &sources {
        headers.extend(source.headers.iter().cloned());
        headers.extend(source.includes());
    }
    headers.sort();
    headers.dedup();
    for source in &sources {
        source.translate(unit, &headers, out);
    }
    let generates = sources
        .iter()
        .any(|source| source.is_certain && source.is_marked);
    written_files::check(unit, generates, out);
}
