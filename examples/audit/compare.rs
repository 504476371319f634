//! One file of the input against its output.

use std::ops::Range;

use torchada::mapping::knowledge::Knowledge;
use torchada::mapping::{Evidence, Relation, Row};

use crate::align::{Change, Scanned, align};
use crate::context::{Decided, origin};
use crate::includes::Include;
use crate::literals::assembly;
use crate::measure::{Example, Measure, Tally};
use crate::python::lines::Lines;
use crate::scan::{Kind, spelling};
use crate::trees::{Pair, Word, span};
use crate::vocabulary::{Reference, Role, SeenFrom, header_path, is_same};
use crate::world::{Surroundings, World};

/// A token's place among the changes.
const UNCHANGED: usize = usize::MAX;

/// Compare a file with its output.
pub(crate) fn compare(world: &World<'_>, pair: &Pair, before: &Scanned, after: &Scanned) -> Tally {
    let changes = align(before, after);
    let mut change_of = vec![UNCHANGED; before.tokens.len()];
    for (index, change) in changes.iter().enumerate() {
        for token in change.before.clone() {
            change_of[token] = index;
        }
    }
    let around = Surroundings::new(world, &pair.source);
    let references = world.vocabulary.references(before, &around);
    let origin = origin(before, after, &changes);
    let mut comparison = Comparison {
        world,
        pair,
        before,
        after,
        lines: Lines::new(&before.text),
        origin,
        decided: Vec::new(),
        changes,
        change_of,
        known: vec![false; before.tokens.len()],
        assembly: assembly(before),
        tally: Tally::default(),
    };
    comparison.tally.files = 1;
    comparison.tally.lines = before.text.split_inclusive(|byte| *byte == b'\n').count();
    if is_musa(&pair.source) {
        if before.text != after.text {
            let text = "already MUSA";
            comparison
                .tally
                .count_file(Measure::MusaFiles, &pair.source, text);
        }
        return comparison.tally;
    }
    comparison.find_decided();
    for reference in &references {
        comparison.reference(reference);
    }
    comparison.claims(&around);
    comparison.all_changes();
    comparison.all_assembly();
    comparison.all_includes();
    comparison.all_architectures();
    comparison.all_guards();
    comparison.all_capabilities();
    comparison.all_dispatch(&around);
    comparison.tally
}

/// Whether a file is MUSA code by its name.
fn is_musa(path: &str) -> bool {
    [".mu", ".muh"].iter().any(|ending| path.ends_with(ending))
}

/// A file, its output, and what is found out about them.
pub(crate) struct Comparison<'c> {
    /// Both trees.
    pub(crate) world: &'c World<'c>,
    /// The file.
    pub(crate) pair: &'c Pair,
    /// Its input.
    pub(crate) before: &'c Scanned,
    /// Its output.
    pub(crate) after: &'c Scanned,
    pub(crate) lines: Lines<'c>,
    /// The token of the input that each token of the output was, where that is certain.
    pub(crate) origin: Vec<Option<usize>>,
    /// Comparisons of the input that became constants and are kept in comments.
    pub(crate) decided: Vec<Decided>,
    /// Where they differ.
    pub(crate) changes: Vec<Change>,
    /// The change that each token of the input is part of.
    change_of: Vec<usize>,
    /// Tokens of the input that belong to a reference.
    pub(crate) known: Vec<bool>,
    /// The input's inline assembly.
    pub(crate) assembly: Vec<Range<usize>>,
    /// The counts.
    pub(crate) tally: Tally,
}

impl Comparison<'_> {
    /// What became of a token; none where it stayed.
    pub(crate) fn change(&self, token: usize) -> Option<&Change> {
        self.changes.get(self.change_of[token])
    }

    /// Count the place of a token, with what became of it.
    pub(crate) fn count(&mut self, measure: Measure, token: usize, end: usize) {
        let text = &self.before.text;
        let start = self.before.tokens.get(token);
        let (line, column) = self.lines.at(start.map_or(text.len(), |token| token.start));
        let bytes = |file: &Scanned, range: Range<usize>| -> Vec<u8> {
            range.flat_map(|at| file.bytes(at)).copied().collect()
        };
        let mut text = shorten(&bytes(self.before, token..end));
        // The change that holds the token, or that puts something before it.
        let next = self
            .changes
            .partition_point(|change| change.before.end <= token && change.before.start != token);
        let change = self.changes.get(next);
        if let Some(change) = change.filter(|change| change.before.start <= token) {
            text = format!(
                "{text} -> {}",
                shorten(&bytes(self.after, change.after.clone()))
            );
        }
        let path = self.pair.source.clone();
        let example = Example {
            path,
            line,
            column,
            text,
        };
        self.tally.count(measure, example);
    }

    fn reference(&mut self, reference: &Reference<'_>) {
        let names = reference.tokens.clone().filter(|at| self.is_name(*at));
        let names: Vec<usize> = names.collect();
        for &at in &names {
            // A name that is only a word where its header is not seen is the project's own.
            let own = reference.row.is_some_and(|row| !row.stem) && !reference.counts;
            self.known[at] = self.known[at] || !own || reference.row.is_some_and(is_same);
        }
        let changed = names.iter().any(|at| self.change_of[*at] != UNCHANGED);
        if changed {
            self.changed(reference, &names);
        }
        if !reference.counts || self.is_own_header(reference) {
            return;
        }
        self.tally.references += 1;
        if changed {
            self.tally.translated += 1;
        } else {
            self.left(reference);
        }
    }

    fn is_name(&self, at: usize) -> bool {
        matches!(self.before.kind(at), Some(Kind::Identifier | Kind::Header))
    }

    /// Whether the reference is an include of a file of the tree.
    fn is_own_header(&self, reference: &Reference<'_>) -> bool {
        let include = Include::new(self.before.bytes(reference.tokens.start));
        reference.role == Role::Header
            && !self
                .world
                .inputs
                .resolve(&self.pair.source, &include)
                .is_empty()
    }

    /// A reference that stands in the output as it stood in the input.
    fn left(&mut self, reference: &Reference<'_>) {
        let token = reference.tokens.clone();
        let span = |tokens: Range<usize>| {
            let end = self
                .before
                .tokens
                .get(tokens.end - 1)
                .map_or(0, |token| token.end);
            span(&self.lines, self.before.tokens[tokens.start].start, end)
        };
        let (own, reach) = (span(token.clone()), span(reference.reach.clone()));
        let word = self.world.report.word(&self.pair.source, own, reach);
        let (word, exact) = word.map_or((None, true), |(word, exact)| (Some(word), exact));
        // A finding about more than the namespace says that the name in it is the trouble.
        let wider = reference.role == Role::Namespace && !exact;
        let confirmed = !wider
            && reference.row.is_some_and(|row| {
                row.relation == Relation::Renamed && row.evidence == Some(Evidence::Confirmed)
            });
        let name = match &word {
            Some(Word::Kept(reason)) => reason.clone(),
            Some(Word::Finding(code)) => code.clone(),
            None => "nothing".to_owned(),
        };
        *self.tally.reasons.entry(name.clone()).or_default() += 1;
        if confirmed {
            *self.tally.confirmed.entry(name).or_default() += 1;
            if !word.as_ref().is_some_and(Word::declares_why) {
                self.count(Measure::ConfirmedLeft, token.start, token.end);
            }
        }
        if word.is_none() {
            let header = reference.role == Role::Header;
            let measure = if header {
                Measure::HeadersLeft
            } else {
                Measure::Left
            };
            self.count(measure, token.start, token.end);
        }
    }

    /// Count names that the report calls the project's own without a declaration in sight.
    fn claims(&mut self, around: &dyn SeenFrom) {
        for (span, name) in self.world.report.claims(&self.pair.source) {
            let last = name.rsplit("::").next().unwrap_or(name);
            if !around.declares(last.as_bytes()) {
                let example = Example {
                    path: self.pair.source.clone(),
                    line: span.0,
                    column: span.1,
                    text: name.clone(),
                };
                self.tally.count(Measure::Undeclared, example);
            }
        }
    }

    /// A reference that stands otherwise in the output.
    fn changed(&mut self, reference: &Reference<'_>, names: &[usize]) {
        let (Some(row), Some(&first)) = (reference.row, names.first()) else {
            return;
        };
        let mut out = Vec::new();
        for &at in names {
            match self.change(at) {
                // A change of several tokens does not show what this one became.
                Some(change) if !change.is_single() => return,
                Some(change) => {
                    out.push(spelling(self.after.bytes(change.after.start)).into_owned());
                }
                None => out.push(spelling(self.before.bytes(at)).into_owned()),
            }
        }
        let now = out.join(&b"::"[..]);
        let follows_rename = reference.role == Role::Header
            && (self.is_own_header(reference)
                || agrees_header(row, self.before.bytes(first), &now));
        // The number of the release that the port is for stands in a version's place.
        let versions = &Knowledge::builtin().shapes.guards;
        let is_number = !now.is_empty() && now.iter().all(u8::is_ascii_digit);
        let is_release = is_number && versions.version(self.before.bytes(first)).is_some();
        if !follows_rename && !is_release && !agrees(row, &now) && !self.is_in_decided(first) {
            self.count(Measure::AgainstTables, first, reference.tokens.end);
        }
        let defines = self.before.previous(first).is_some_and(|at| {
            self.before.bytes(at) == b"define" && self.before.tokens[at].directive
        });
        if defines {
            self.count(Measure::DefinitionsRenamed, first, first + 1);
        }
    }
}

/// Whether a name in the output is what its row says. A name may stand without the qualifier
/// that the row gives it.
fn agrees(row: &Row, now: &[u8]) -> bool {
    let to = row
        .to
        .as_deref()
        .filter(|_| row.relation == Relation::Renamed);
    to.is_some_and(|to| {
        to.as_bytes() == now || to.rsplit("::").next().map(str::as_bytes) == Some(now)
    })
}

/// Whether a header in the output is what its row says; the row may stand for a folder.
fn agrees_header(row: &Row, before: &[u8], now: &[u8]) -> bool {
    let Some(to) = row.to.as_deref() else {
        return false;
    };
    let (before, now) = (header_path(before), header_path(now));
    match before.strip_prefix(row.cuda.as_bytes()) {
        Some(rest) => now.strip_prefix(to.as_bytes()) == Some(rest),
        None => false,
    }
}

fn shorten(bytes: &[u8]) -> String {
    const SHOWN: usize = 90;
    let text = String::from_utf8_lossy(bytes);
    let line: String = text.chars().take(SHOWN).collect();
    line.replace('\n', "\\n").replace('\r', "\\r")
}
