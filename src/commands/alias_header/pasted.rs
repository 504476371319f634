//! Names that macros of the project paste together: the pasted names are looked up, so that a header has them
//! whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::commands::analysis::Translated;
use crate::mapping::{Evidence, Relation, Section};
use crate::project::{Context, Invocation, PastedPiece, Paster, Project};
use crate::rules::RuleSettings;
use crate::rules::cpp::rule_names::PASTING;
use crate::text::TextRange;

/// The names that the macros of a project paste.
#[derive(Debug, Default)]
pub(super) struct Pasted {
    /// CUDA's names that MUSA has.
    pub(super) names: BTreeSet<String>,
    /// The places where the names are pasted, by file: the start of the first piece.
    places: BTreeMap<usize, BTreeSet<usize>>,
}

impl Pasted {
    /// The places in a file at which a finding says no more than that pieces can't be translated.
    pub(super) fn places(&self, file: usize) -> BTreeSet<usize> {
        self.places.get(&file).cloned().unwrap_or_default()
    }
}

/// The names that a port would change in pieces, or report.
pub(super) fn names(
    project: &Project,
    translated: &[Translated],
    context: Context<'_>,
    rules: &RuleSettings,
) -> Pasted {
    let mut pasted = Pasted::default();
    for (index, file) in project.files.iter().enumerate() {
        for paster in &file.facts.pasters {
            let uses = project.invocations.get(&paster.name);
            for name in &paster.names {
                let start = name.first().map_or(0, |piece| piece.range.start);
                for one in uses.into_iter().flatten() {
                    let reported = is_reported(translated, index, name, one);
                    let whole = whole(paster, name, one).filter(|_| reported);
                    let Some(whole) = whole.filter(|whole| is_there(whole, context, rules)) else {
                        continue;
                    };
                    pasted.names.insert(whole);
                    pasted.places.entry(index).or_default().insert(start);
                }
            }
        }
    }
    pasted
}

/// Whether MUSA has the name, as far as evidence goes that is strong enough.
fn is_there(name: &str, context: Context<'_>, rules: &RuleSettings) -> bool {
    let row = context.row(Section::Names, name.as_bytes());
    row.is_some_and(|row| {
        row.relation == Relation::Renamed
            && row.evidence.unwrap_or(Evidence::Rule) <= rules.min_evidence
    })
}

/// Whether the rules have anything to say of a pasted name: in another vendor's branch they do not.
fn is_reported(
    translated: &[Translated],
    index: usize,
    name: &[PastedPiece],
    one: &Invocation,
) -> bool {
    let edited = |file: usize, range: TextRange| {
        let file = translated.get(file);
        file.is_some_and(|file| {
            let mut edits = file.edits.iter();
            let mut findings = file.findings.iter();
            edits.any(|edit| edit.rule == PASTING && edit.range.start == range.start)
                || findings.any(|finding| finding.range.start == range.start)
        })
    };
    name.iter().any(|piece| edited(index, piece.range))
        || one
            .arguments
            .iter()
            .any(|(range, _)| edited(one.file, *range))
}

/// The name that one use of a macro makes.
fn whole(paster: &Paster, name: &[PastedPiece], one: &Invocation) -> Option<String> {
    if one.arguments.len() < paster.arity.min(1) {
        return None;
    }
    let pieces = name.iter().map(|piece| {
        let text = match piece.parameter {
            None => &piece.text,
            Some(at) => &one.arguments.get(at)?.1,
        };
        std::str::from_utf8(text).ok()
    });
    pieces.collect()
}
