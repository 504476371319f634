//! Text that a script writes into files: settings, other scripts, code.

use std::path::Path;

use super::notation::notation;
use super::view::is_one;
use crate::build::BuildUnit;
use torchada_classify::{FileKind, classify};
use torchada_syntax::script::{Notation, Statement, StatementKind, statements_in};
use torchada_text::TextRange;

/// The language of a text that a script writes into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WrittenKind<'k> {
    /// Statements.
    Script(Notation<'k>),
    /// Python.
    Python,
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
        _ => WrittenKind::Code,
    }
}

/// Add the statements that a script writes into files: `echo "CUDA_HOME=/usr/local/cuda" >> $GITHUB_ENV`.
pub(super) fn add(unit: &BuildUnit<'_>, found: &mut Vec<Statement>) {
    let messages = &unit.context.knowledge.builds.scripts.messages;
    let mut more = Vec::new();
    for one in found.iter() {
        let Some(into) = one.into else { continue };
        let WrittenKind::Script(notation) = kind(unit, into) else {
            continue;
        };
        let is_text = match one.kind {
            StatementKind::Command => is_one(one.head.of(unit.text), messages),
            kind => kind == StatementKind::Document,
        };
        let skip = usize::from(one.kind == StatementKind::Command);
        for word in one.words.iter().skip(skip).filter(|_| is_text) {
            let bytes = word.range.of(unit.text);
            if word.range.overlaps(into) || bytes.starts_with(b"-") {
                continue;
            }
            let quote = bytes
                .first()
                .filter(|byte| matches!(byte, b'"' | b'\'') && bytes.last() == Some(byte));
            let quotes = usize::from(quote.is_some() && bytes.len() > 1);
            let range = TextRange::new(word.range.start + quotes, word.range.end - quotes);
            more.extend(statements_in(unit.text, range, notation));
        }
    }
    found.extend(more);
}
