//! Scripts and build files as commands, assignments and words: shells, Make, Ninja, Docker, pipelines in YAML.
//!
//! Read without a grammar: what such files hold is often a template, half of one language in another, or made for a
//! shell that nobody knows. What is broken is read as far as it goes, and nothing is found that does not stand there.

mod case_labels;
mod docker;
mod make;
mod pipes;
mod references;
mod scanner;
mod shell;
mod statement;
mod yaml;

use scanner::Scanner;
pub use statement::{Notation, PipelineKeys, Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// The statements of a file, by place.
pub fn statements(text: &[u8], notation: Notation<'_>) -> Vec<Statement> {
    statements_in(text, TextRange::new(0, text.len()), notation)
}

fn read(mut scanner: Scanner<'_>, notation: Notation<'_>) -> Vec<Statement> {
    match notation {
        Notation::Shell => scanner.shell(),
        Notation::Make | Notation::Ninja => scanner.make(notation == Notation::Ninja),
        Notation::Docker => scanner.docker(),
        Notation::Pipeline(keys) => scanner.yaml(keys),
    }
    let mut found = scanner.found;
    found.sort_by_key(|one| (one.head.start, one.head.end));
    found
}

/// The statements of a stretch of a file, in a notation of its own.
pub fn statements_in(text: &[u8], range: TextRange, notation: Notation<'_>) -> Vec<Statement> {
    read(
        Scanner::new(text, range, notation == Notation::Make),
        notation,
    )
}

/// The bytes of a text of make's that stand in no brackets, and so in no reference, with their places.
pub fn outside_references(text: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut depth = 0_usize;
    text.iter().copied().enumerate().filter(move |(_, byte)| {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

#[cfg(test)]
mod tests;
