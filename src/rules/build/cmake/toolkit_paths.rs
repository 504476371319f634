//! Paths into CUDA's toolkit: its folders, and headers behind a variable that holds their folder.

use super::codes::NO_COUNTERPART;
use super::libraries::{FINDS, is_found};
use super::pass::Pass;
use crate::build::toolkit::{self, PathRewrite, ToolkitPath};
use torchada_syntax::cmake::Argument;
use torchada_text::TextRange;

/// Look at an argument of a command called `name`.
pub(super) fn check(pass: &mut Pass<'_, '_>, name: &str, argument: &Argument) {
    folders(pass, name, argument);
    header(pass, name, argument);
}

/// Folders of the toolkit, written out or behind a variable that holds it.
fn folders(pass: &mut Pass<'_, '_>, name: &str, argument: &Argument) {
    let (context, start) = (pass.unit.context, argument.inner.start);
    let word = pass.word(argument).as_bytes();
    for (whole, written) in toolkit::written(context, word, false) {
        match written {
            ToolkitPath::Known(edits) => replace(pass, start, &edits),
            ToolkitPath::Unknown(range) => unknown(pass, name, start, range, toolkit::ADVICE),
            ToolkitPath::Open => {
                let range = TextRange::new(whole.start, toolkit::end(word, whole.end));
                unknown(pass, name, start, range, toolkit::OPEN);
            }
        }
    }
    for at in memchr::memmem::find_iter(word, b"$ENV{") {
        let from = at + b"$ENV{".len();
        let rest = word.get(from..).unwrap_or_default();
        let len = memchr::memchr(b'}', rest).unwrap_or(rest.len());
        if !toolkit::is_home(context, rest.get(..len).unwrap_or_default()) {
            continue;
        }
        let behind = (from + len + 1).min(word.len());
        match toolkit::below(context, word, behind) {
            PathRewrite::Known(edits) => replace(pass, start, &edits),
            PathRewrite::Unknown(end) => {
                let range = TextRange::new(behind, end);
                unknown(pass, name, start, range, toolkit::ADVICE);
            }
        }
    }
}

/// A header of CUDA's behind a variable that holds its folder: `${CUDA_INCLUDE_DIRS}/cuda_fp16.h`.
fn header(pass: &mut Pass<'_, '_>, name: &str, argument: &Argument) {
    let word = pass.word(argument);
    let (project, context) = (pass.unit.project, pass.unit.context);
    let Some((folder, file)) = word.rsplit_once('/') else {
        return;
    };
    let folder = folder.strip_suffix("/include").unwrap_or(folder);
    let variable = folder
        .strip_suffix('}')
        .and_then(|front| front.rsplit_once("${"))
        .map_or("", |(_, variable)| variable);
    let row = context.tables.header(file);
    let to = row.and_then(|row| row.header_target(file));
    if let Some(to) = to
        && name != "message"
        && context.knowledge.builds.words.is_cudas(variable.as_bytes())
        && (!pass.table.variables.contains_key(variable)
            || !is_found(pass, variable)
            || looks_for(pass, variable, &to))
        && !project.places.have(file)
    {
        let end = argument.inner.end;
        pass.edit(TextRange::new(end - file.len(), end), &to);
    }
}

/// Whether a command of the port looks for a header's folder by this header's name of MUSA's.
fn looks_for(pass: &Pass<'_, '_>, variable: &str, header: &str) -> bool {
    let file = pass.file;
    let mut finders = FINDS
        .iter()
        .flat_map(|find| file.with_first(find, variable.as_bytes()));
    finders.any(|command| pass.edited(command.range).contains(header))
}

/// Edit ranges of a word that begins at `start`.
fn replace(pass: &mut Pass<'_, '_>, start: usize, edits: &[(TextRange, String)]) {
    for (range, to) in edits {
        let range = TextRange::new(start + range.start, start + range.end);
        if range.of(pass.unit.text) != to.as_bytes() {
            pass.edit(range, to);
        }
    }
}

/// Report a place in the toolkit; texts for people may name any.
fn unknown(pass: &mut Pass<'_, '_>, name: &str, start: usize, range: TextRange, help: &str) {
    if name == "message" {
        return;
    }
    let range = TextRange::new(start + range.start, start + range.end);
    let shown = pass.text_of(range);
    let message = format!("`{shown}` is in CUDA's toolkit: it stays");
    pass.report(NO_COUNTERPART, range, message, help);
}
