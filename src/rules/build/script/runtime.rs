//! The runtime's library: nvcc links it by itself, and mcc does not.

use std::collections::BTreeMap;

use super::{View, is_one};
use crate::mapping::files::BuildLanguage;
use crate::rules::build::codes::RUNTIME;
use crate::rules::build::told::Told;
use crate::syntax::script::{Part, Statement, StatementKind, Word};
use crate::text::TextRange;

/// So far are variables followed that are made of others.
const DEEPEST: usize = 5;

/// Report commands that link device code where nothing names the library.
pub(super) fn linked(view: &View<'_>, found: &[Statement], told: &mut Told<'_, '_>) {
    let text = view.unit.text;
    let runs = |one: &&Statement| {
        one.kind == StatementKind::Command && view.facts.runs_compiler(text, one)
    };
    let mut commands = found.iter().filter(runs).peekable();
    if commands.peek().is_none() || is_named(view) {
        return;
    }
    let mut values: BTreeMap<&[u8], Vec<&Word>> = BTreeMap::new();
    for one in found
        .iter()
        .filter(|one| one.kind == StatementKind::Assignment)
    {
        let there = values.entry(one.head.of(text)).or_default();
        there.extend(&one.words);
    }
    for one in commands {
        let Some((first, arguments)) = one.words.split_first() else {
            continue;
        };
        let mut all = Vec::new();
        for word in arguments {
            spread(text, word, &values, DEEPEST, &mut all);
        }
        if links(view, &all) && !is_other(view, one) {
            let home = match view.unit.language {
                BuildLanguage::Make | BuildLanguage::Ninja => "$(MUSA_HOME)",
                _ => "$MUSA_HOME",
            };
            let advice = format!("add `-L{home}/lib -lmusart` to what is linked");
            let shown = format!("`{}`", view.unit.shown(first.range));
            told.report_as(RUNTIME, first.range, shown, &advice);
        }
    }
}

/// Whether the file, or another makefile of the tree's, names the library.
fn is_named(view: &View<'_>) -> bool {
    let names = |text: &[u8]| {
        let mut parts = view.knowledge.runtimes.iter();
        parts.any(|part| memchr::memmem::find(text, part.as_bytes()).is_some())
    };
    let is_make = view.unit.language == BuildLanguage::Make;
    let mut others = view
        .unit
        .project
        .files
        .iter()
        .filter(|file| is_make && file.class.language == Some(BuildLanguage::Make));
    names(view.unit.text) || others.any(|file| file.text.as_deref().is_some_and(names))
}

/// A word's texts and results, with those of the variables in it.
fn spread(
    text: &[u8],
    word: &Word,
    values: &BTreeMap<&[u8], Vec<&Word>>,
    depth: usize,
    all: &mut Vec<TextRange>,
) {
    for part in &word.parts {
        match part {
            Part::Text(range) | Part::Result(range) => all.push(*range),
            Part::Variable { name, .. } if depth > 0 => {
                for value in values.get(name.of(text)).into_iter().flatten() {
                    spread(text, value, values, depth - 1, all);
                }
            }
            Part::Variable { .. } => {}
        }
    }
}

/// Whether arguments make the compiler link: it writes a file, from others that are linked.
fn links(view: &View<'_>, all: &[TextRange]) -> bool {
    let knowledge = view.knowledge;
    let is = |known: &[String]| all.iter().any(|range| is_one(view.of(*range), known));
    let ends = |range: &TextRange| {
        let bytes = view.of(*range);
        let automatic = matches!(bytes, b"$^" | b"$<" | b"$+");
        let mut endings = knowledge.linked.iter();
        automatic || endings.any(|ending| bytes.ends_with(ending.as_bytes()))
    };
    is(&knowledge.outputs) && !is(&knowledge.not_linking) && all.iter().any(ends)
}

/// Whether a command stands where another vendor is the platform.
fn is_other(view: &View<'_>, one: &Statement) -> bool {
    let mut branches = one.branches.iter();
    branches.any(|branch| super::vendor::is_branch_of_another(view.unit, *branch))
}
