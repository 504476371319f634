//! Text that a script writes into files: settings, other scripts, code.

use std::path::Path;

use super::labels::{is_labelled, without_quotes};
use super::notation::notation;
use crate::build::{BuildUnit, code_words};
use torchada_classify::{FileKind, classify};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_syntax::script::{Notation, Statement, StatementKind, statements_in};
use torchada_text::{TextRange, contains};

/// The language of a text that a script writes into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WrittenKind<'k> {
    /// Statements.
    Script(Notation<'k>),
    /// Python.
    Python,
    /// C or C++.
    Cpp,
    /// Code of other languages, that nobody follows here.
    Code,
    /// Text for people.
    Prose,
}

/// The language of a file by its name. A file whose name is open, such as `$GITHUB_ENV`, holds settings of a shell.
pub(super) fn kind<'k>(unit: &BuildUnit<'k>, into: TextRange) -> WrittenKind<'k> {
    let name = unit.shown(into);
    let known = unit.context.knowledge;
    let class = classify(Path::new(&name), b"", &known.files);
    let notation = |language| notation(language, &known.builds.scripts);
    if let Some(notation) = class.language.and_then(notation) {
        return WrittenKind::Script(notation);
    }
    match class.kind {
        FileKind::Other => WrittenKind::Script(Notation::Shell),
        FileKind::Python => WrittenKind::Python,
        FileKind::Prose | FileKind::Text => WrittenKind::Prose,
        kind if kind.is_cpp() => WrittenKind::Cpp,
        _ => WrittenKind::Code,
    }
}

/// The language of a document: what runs it says it, or the file that it is written into. One behind a bare `RUN` of
/// Docker's is run by itself.
pub(super) fn of_document<'k>(unit: &BuildUnit<'k>, one: &Statement) -> WrittenKind<'k> {
    let scripts = &unit.context.knowledge.builds.scripts;
    let head = one.head.of(unit.text);
    let program = head.rsplit(|&byte| byte == b'/').next().unwrap_or(head);
    let first = one
        .words
        .first()
        .map_or(&b""[..], |word| word.range.of(unit.text));
    let is_bare = program.is_empty() && unit.language == BuildLanguage::Docker;
    let by_line = is_bare && first.starts_with(b"#!");
    let line = first.split(|&byte| byte == b'\n').next().unwrap_or(first);
    if has(&scripts.pythons, program) || by_line && contains(line, b"python") {
        return WrittenKind::Python;
    }
    if is_bare || has(&scripts.shells, program) {
        return WrittenKind::Script(Notation::Shell);
    }
    // What a variable or a compiler gets: `CODE=$(cat << END`, `mcc -x musa - << END`.
    let unnamed = if code_words::is_code(first) {
        WrittenKind::Cpp
    } else {
        WrittenKind::Prose
    };
    one.into.map_or(unnamed, |into| kind(unit, into))
}

/// Add the statements that a script writes into files, `echo "CUDA_HOME=/usr/local/cuda" >> $GITHUB_ENV`, or runs.
pub(super) fn add(unit: &BuildUnit<'_>, found: &mut Vec<Statement>) {
    let messages = &unit.context.knowledge.builds.scripts.messages;
    let mut more = Vec::new();
    for one in found.iter() {
        let is_message = || has(messages, one.head.of(unit.text));
        let (written, skip) = match one.kind {
            StatementKind::Document => (Some(of_document(unit, one)), 0),
            StatementKind::Command if is_message() => (one.into.map(|into| kind(unit, into)), 1),
            _ => (None, 0),
        };
        let Some(WrittenKind::Script(notation)) = written else {
            continue;
        };
        for word in one.words.iter().skip(skip) {
            let bytes = word.range.of(unit.text);
            let is_target = one.into.is_some_and(|into| word.range.overlaps(into));
            if is_target || bytes.starts_with(b"-") {
                continue;
            }
            let range = without_quotes(unit.text, word.range);
            if notation == Notation::Shell && is_labelled(range.of(unit.text)) {
                continue;
            }
            more.extend(statements_in(unit.text, range, notation));
        }
    }
    found.extend(more);
}
