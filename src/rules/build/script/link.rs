//! Libraries that are linked: `-lcudart`, names in lists that become such options, and files.

use super::pass::ScriptPass;
use super::paths::is_in_toolkit;
use super::placed::{self, FRONT, LibraryFile, is_placed};
use crate::build::toolkit::ADVICE;
use torchada_diagnostic::codes::build::{LIBRARY, PATH, VARIABLE};
use torchada_mapping::Section;
use torchada_syntax::script::{Statement, StatementKind};
use torchada_text::TextRange;

/// The libraries in a statement.
pub(super) fn libraries(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    // A library that a variable of NVIDIA's software names is for that software, which stays: `NUMBA_CUDA_DRIVER=libcuda.so`.
    if one.kind == StatementKind::Assignment && pass.findings.has(VARIABLE, one.head) {
        return;
    }
    let listed =
        one.kind == StatementKind::Assignment && view.facts.libraries.contains(view.of(one.head));
    let toolkit = &view.knowledge.toolkit;
    let in_environment = |range: TextRange| {
        let path = view.unit.shown(range).to_ascii_lowercase();
        path.contains('/') && toolkit.is_in_environment(&path)
    };
    let is_left = |range| pass.findings.has(PATH, range) || in_environment(range);
    // What is copied or linked from a place that stays, or from a package manager's, keeps its name. So does what a command
    // removes, links or moves: without its version a library would be linked to itself, `ln -s libcuda.so libcuda.so.1`.
    let stays = !view.facts.runs_compiler(view.unit.text, one)
        && one.kind == StatementKind::Command
        && (is_placed(view, one) || one.words.iter().any(|word| is_left(word.range)));
    for word in one.words.iter().flat_map(|word| word.split(view.unit.text)) {
        let in_toolkit = is_in_toolkit(view, &word);
        for text in word.texts() {
            let bytes = view.of(text);
            // An entry of a pipeline may be prose: there only a path is a library's.
            if one.kind == StatementKind::Entry && !bytes.contains(&b'/') {
                continue;
            }
            if bytes.starts_with(b"-l") {
                translate_library(pass, TextRange::new(text.start + 2, text.end));
            } else if listed && word.plain() == Some(text) {
                translate_library(pass, text);
            } else {
                for named in placed::libraries(view, text) {
                    file(pass, named, (stays, in_toolkit));
                }
            }
        }
    }
}

fn translate_library(pass: &mut ScriptPass<'_>, name: TextRange) {
    let tables = pass.view.unit.context.tables;
    if pass.findings.is_handled(name) {
        return;
    }
    if let Some(row) = tables.get(Section::Libraries, pass.view.of(name)) {
        pass.findings.apply_row(name, row, LIBRARY);
    }
}

/// A library's file at the end of a path.
fn file(
    pass: &mut ScriptPass<'_>,
    LibraryFile { name, short }: LibraryFile,
    (stays, in_toolkit): (bool, bool),
) {
    let view = pass.view;
    // `libcudnn.so.9`, `libcudart.so.*`: the name without a version is the table's. A number is one of CUDA's, and goes.
    if pass.findings.is_handled(name) {
        return;
    }
    let stays = stays || view.places.has_library(view.of(short));
    let tables = view.unit.context.tables;
    let version = view.of(TextRange::new(short.end, name.end));
    let star = usize::from(version.ends_with(b"*"));
    let numbered = TextRange::new(name.start, name.end - star);
    let has_number = version.iter().any(u8::is_ascii_digit);
    let files = [
        (name, name),
        (short, if has_number { numbered } else { short }),
    ];
    let mut rows = files.into_iter().filter_map(|(known, place)| {
        let row = tables.get(Section::LibraryFiles, view.of(known))?;
        Some((row, known, place))
    });
    let found = rows.next().or_else(|| {
        // `libcublas_static.a`: the table has a static library as link lines name it.
        let archive = view.of(name).strip_suffix(ARCHIVE)?;
        let linked = TextRange::new(name.start + FRONT.len(), name.start + archive.len());
        let row = tables.get(Section::Libraries, view.of(linked))?;
        Some((row, name, linked))
    });
    match found {
        Some((_, known, _)) if stays => {
            pass.findings
                .report(PATH, known, "rename it with the place that it comes from");
        }
        Some((row, _, place)) => pass.findings.apply_row(place, row, LIBRARY),
        // MUSA's toolkit has no library of CUDA's name.
        None if in_toolkit && pass.findings.is_cudas(name) => {
            pass.findings.report(PATH, name, ADVICE);
        }
        None => {}
    }
}

/// How the files of static libraries end.
const ARCHIVE: &[u8] = b".a";
