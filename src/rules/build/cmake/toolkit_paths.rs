//! Paths into CUDA's toolkit: its folders, and headers behind a variable that holds their folder.

use super::libraries::{FINDS, is_found};
use super::pass::Pass;
use crate::build::toolkit::{self, PathRewrite, ToolkitPath};
use torchada_diagnostic::codes::build::NO_COUNTERPART;
use torchada_syntax::cmake::{Argument, Command};
use torchada_text::TextRange;

/// Look at an argument of a command called `name`.
pub(super) fn check(pass: &mut Pass<'_>, command: &Command, place: usize) {
    let name = command.lower_name();
    let Some(argument) = command.arguments.get(place) else {
        return;
    };
    program(pass, name, argument);
    header(pass, name, argument);
    folders(pass, name, argument);
    if name == "set" && place == 1 {
        root(pass, command);
    }
}

/// Look at a command that says where the toolkit lies, `set(CUDA_TOOLKIT_ROOT_DIR "/opt/cuda-11.2")`: MUSA's is not there.
fn root(pass: &mut Pass<'_>, command: &Command) {
    let [variable, value, ..] = command.arguments.as_slice() else {
        return;
    };
    let (place, shown) = (value.inner, pass.word(value));
    let is_folder = shown.starts_with('/') || shown.get(1..3) == Some(":/");
    let names_cuda = || !pass.words_of_cuda(place).is_empty();
    let is_mended = || pass.out.edits.within(place).next().is_some();
    let is_one = is_folder && is_root(pass, pass.word(variable));
    if is_one && names_cuda() && !is_mended() {
        let message = format!("MUSA's toolkit is looked for in `{shown}`, which is CUDA's");
        let help = "write the folder of the MUSA SDK, which is /usr/local/musa unless it was put elsewhere, or leave the line out";
        pass.report(NO_COUNTERPART, place, message, help);
    }
}

/// Whether a variable of `CMake`'s modules holds the toolkit's folder.
fn is_root(pass: &Pass<'_>, name: &str) -> bool {
    let toolkit = &pass.unit.context.knowledge.builds.scripts.toolkit;
    let row = pass.table.variables.get(name);
    let to = row.and_then(|row| row.to.as_ref());
    to.is_some_and(|to| toolkit.variables.contains(to))
}

/// Folders of the toolkit, written out or behind a variable that holds it.
fn folders(pass: &mut Pass<'_>, name: &str, argument: &Argument) {
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
    for at in memchr::memchr_iter(b'{', word) {
        let front = word.get(..at).unwrap_or_default();
        let rest = word.get(at + 1..).unwrap_or_default();
        let len = memchr::memchr(b'}', rest).unwrap_or(rest.len());
        let variable = rest.get(..len).unwrap_or_default();
        let holds_root = match front {
            [.., b'$', b'E', b'N', b'V'] => toolkit::is_home(context, variable),
            [.., b'$'] => holds_root(pass, variable),
            _ => false,
        };
        let behind = (at + len + 2).min(word.len());
        if !holds_root {
            continue;
        }
        match toolkit::below(context, word, behind) {
            PathRewrite::Known(edits) => replace(pass, start, &edits),
            PathRewrite::Unknown(end) => {
                let range = TextRange::new(behind, end);
                let place = TextRange::new(start + behind, start + end);
                // A header's name may be MUSA's by now.
                if pass.out.edits.within(place).next().is_none() {
                    unknown(pass, name, start, range, toolkit::ADVICE);
                }
            }
        }
    }
}

/// Whether a variable of `CMake`'s holds the toolkit's folder: `FindCUDA`'s does, and one that gets no value but this folder.
fn holds_root(pass: &Pass<'_>, variable: &[u8]) -> bool {
    let toolkit = &pass.unit.context.knowledge.builds.scripts.toolkit;
    if is_root(pass, &String::from_utf8_lossy(variable)) {
        return true;
    }
    if !toolkit::is_home(pass.unit.context, variable) {
        return false;
    }
    let is_folder = |value: &[u8]| {
        let value = String::from_utf8_lossy(value);
        let inner = value.strip_suffix('}');
        let root = inner.and_then(|one| one.strip_prefix("${"));
        let home = inner.and_then(|one| one.strip_prefix("$ENV{"));
        root.is_some_and(|one| is_root(pass, one))
            || home.is_some_and(|one| toolkit::is_home(pass.unit.context, one.as_bytes()))
            || value.starts_with(&toolkit.root)
    };
    let mut values = pass.files().flat_map(|(text, file)| {
        let set = file.with_first("set", variable);
        set.map(move |one| {
            one.arguments
                .get(1)
                .map_or(&b""[..], |value| value.inner.of(text))
        })
    });
    values.all(is_folder)
}

/// A program of CUDA's behind a variable that holds the folder of its programs: `${CUDAToolkit_BIN_DIR}/nvcc`.
fn program(pass: &mut Pass<'_>, name: &str, argument: &Argument) {
    let word = pass.word(argument);
    let knowledge = pass.unit.context.knowledge;
    let Some((folder, file)) = word.rsplit_once("}/") else {
        return;
    };
    let variable = folder.strip_prefix("${").unwrap_or_default();
    let mut known = knowledge.commands.known.iter();
    let program = known.find(|one| one.name == file && one.compiler);
    let is_cudas = pass.table.variables.contains_key(variable);
    if let Some(to) = program.and_then(|one| one.to.as_ref())
        && name != "message"
        && is_cudas
    {
        let end = argument.inner.end;
        pass.edit(TextRange::new(end - file.len(), end), to);
    }
}

/// A header of CUDA's behind a variable that holds its folder: `${CUDA_INCLUDE_DIRS}/cuda_fp16.h`.
fn header(pass: &mut Pass<'_>, name: &str, argument: &Argument) {
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
fn looks_for(pass: &Pass<'_>, variable: &str, header: &str) -> bool {
    let file = pass.file;
    let mut finders = FINDS
        .iter()
        .flat_map(|find| file.with_first(find, variable.as_bytes()));
    finders.any(|command| pass.edited(command.range).contains(header))
}

/// Edit ranges of a word that begins at `start`.
fn replace(pass: &mut Pass<'_>, start: usize, edits: &[(TextRange, String)]) {
    for (range, to) in edits {
        let range = range.shifted(start);
        if range.of(pass.unit.text) != to.as_bytes() {
            pass.edit(range, to);
        }
    }
}

/// Report a place in the toolkit; texts for people may name any.
fn unknown(pass: &mut Pass<'_>, name: &str, start: usize, range: TextRange, help: &str) {
    if name == "message" {
        return;
    }
    let range = range.shifted(start);
    let shown = pass.text_of(range);
    let message = format!("`{shown}` is in CUDA's toolkit: it stays");
    pass.report(NO_COUNTERPART, range, message, help);
}
