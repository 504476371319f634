//! Texts that are programs in Python.

use crate::python::ModuleView;
use torchada_syntax::python::{HOLE, is_sound};

/// Whether a text is a program in Python that uses `PyTorch`: one of its statements imports it. A sentence with the same
/// words is none: `Unable to import torch - it is needed`.
pub fn is_python(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    imports_of_torch(unit, text).next().is_some()
}

/// Whether all of the Python in a text is what commands in it run: `echo $(python -c "import torch; …")`.
pub(super) fn is_run_by_commands(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    imports_of_torch(unit, text).all(|at| {
        let before = text.get(..at).unwrap_or_default().trim_ascii_end();
        before.ends_with(b"\"") || before.ends_with(b"'")
    })
}

/// The places of a text where a statement of Python imports `PyTorch`.
fn imports_of_torch<'t>(
    unit: &'t ModuleView<'_>,
    text: &'t [u8],
) -> impl Iterator<Item = usize> + 't {
    let modules = &unit.context.knowledge.python_strings.quoted.modules;
    modules
        .iter()
        .flat_map(move |one| memchr::memmem::find_iter(text, one.as_bytes()))
        .filter(move |&at| begins_statement(text, at) && is_statement(text, at))
}

/// Whether what stands at a place of a text may begin a statement: it is the first of its line, of a piece of a line, or
/// of a text in quotes, as in `python -c 'import torch; …'`.
fn begins_statement(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let before = String::from_utf8_lossy(before);
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', ';', '"', '\'', '>']) || before.ends_with(HOLE)
}

/// Whether the piece of a line that begins at a place of a text is a statement.
fn is_statement(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let ends = |byte: &u8| matches!(byte, b'\n' | b';' | b'"' | b'\'');
    let line = rest.split(ends).next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    // What goes on in the next line, or has something put in, can't be read alone.
    line.contains(HOLE) || line.contains(['(', '\\']) || is_sound(line.as_bytes())
}
