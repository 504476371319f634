//! The second half of a comparison: every change, whether a reference made it or not.

use std::ops::Range;

use crate::align::{Change, Scanned};
use crate::compare::Comparison;
use crate::includes::Include;
use crate::literals::{Holds, assembly, differ_beyond_names, holds};
use crate::measure::Measure;
use crate::scan::Kind;

impl Comparison<'_> {
    /// Count what no reference explains.
    pub(crate) fn all_changes(&mut self) {
        for change in self.changes.clone() {
            if self.is_decided(&change) {
                continue;
            }
            if change.is_single() {
                self.single(change.before.start, change.after.start);
            } else {
                self.several(&change);
            }
        }
    }

    /// One token that became another.
    fn single(&mut self, at: usize, new: usize) {
        let measure = match self.before.kind(at) {
            Some(Kind::Identifier) if self.known[at] => return,
            Some(Kind::Identifier) if self.world.vocabulary.is_piece(self.before, at) => {
                Measure::Pieces
            }
            Some(Kind::Identifier) => Measure::OwnRenamed,
            Some(Kind::Header) => {
                let include = Include::new(self.before.bytes(at));
                let known = self.world.vocabulary.header(&include.path).is_some();
                let own = self.world.inputs.resolve(&self.pair.source, &include);
                if known || !own.is_empty() {
                    return;
                }
                Measure::OwnRenamed
            }
            Some(Kind::Comment) => Measure::Comments,
            Some(Kind::Prose) => Measure::Strings,
            // Strings of assembly are counted with their statement.
            Some(Kind::String) if self.in_assembly(at) => return,
            Some(Kind::String) => match holds(self.before, at) {
                Holds::Text => Measure::Strings,
                Holds::Code
                    if differ_beyond_names(self.before.bytes(at), self.after.bytes(new)) =>
                {
                    Measure::Strings
                }
                _ => Measure::StringsToRead,
            },
            _ => Measure::Outside,
        };
        self.count(measure, at, at + 1);
    }

    fn in_assembly(&self, at: usize) -> bool {
        self.assembly.iter().any(|range| range.contains(&at))
    }

    /// Tokens that were replaced by another number or kind of tokens.
    fn several(&mut self, change: &Change) {
        let comments = texts(self.before, change.before.clone(), Kind::Comment);
        if comments != texts(self.after, change.after.clone(), Kind::Comment) {
            self.count(Measure::Comments, change.before.start, change.before.end);
            return;
        }
        // A reference may become any number of tokens, but no line comes or goes with it.
        let lines = |file: &Scanned, range: Range<usize>| {
            let spaces = texts(file, range, Kind::Space).concat();
            spaces.into_iter().filter(|byte| *byte == b'\n').count()
        };
        let kept_lines =
            lines(self.before, change.before.clone()) == lines(self.after, change.after.clone());
        if kept_lines && change.before.clone().any(|at| self.known[at]) {
            return;
        }
        let added = change.after.clone();
        let measure = if added
            .clone()
            .any(|at| self.after.kind(at) == Some(Kind::Header))
            && change.before.clone().all(|at| in_include(self.before, at))
            && added.clone().all(|at| in_include(self.after, at))
        {
            Measure::LinesAdded
        } else {
            Measure::Outside
        };
        self.count(measure, change.before.start, change.before.end);
    }

    /// Count inline assembly that is not what it was.
    pub(crate) fn all_assembly(&mut self) {
        let statements = self.assembly.clone();
        for statement in &statements {
            let touched = self.changes.iter().any(|change| {
                let (from, to) = (
                    change.before.start,
                    change.before.end.max(change.before.start + 1),
                );
                let meets = from < statement.end && to > statement.start;
                let name = change.is_single()
                    && self.before.kind(from) == Some(Kind::Identifier)
                    && self.known[from];
                meets && !name
            });
            if touched {
                self.count(Measure::Assembly, statement.start, statement.start + 1);
            }
        }
        let now = assembly(self.after).len();
        if now != statements.len() {
            let text = format!("{} statements became {now}", statements.len());
            self.tally
                .count_file(Measure::Assembly, &self.pair.source, &text);
        }
    }

    /// Count includes of the tree's own files that lead elsewhere.
    pub(crate) fn all_includes(&mut self) {
        let source = self.pair.source.clone();
        for at in 0..self.before.tokens.len() {
            if self.before.kind(at) != Some(Kind::Header) {
                continue;
            }
            let include = Include::new(self.before.bytes(at));
            let meant = self.world.inputs.resolve(&source, &include);
            if meant.is_empty() {
                continue;
            }
            let now = match self.change(at) {
                None => Some(include),
                Some(change) => change
                    .after
                    .clone()
                    .find(|new| self.after.kind(*new) == Some(Kind::Header))
                    .map(|new| Include::new(self.after.bytes(new))),
            };
            let found = now.map(|now| self.world.outputs.resolve(&self.pair.output, &now));
            let reached = found.unwrap_or_default().iter().any(|path| {
                let source = self.world.sources.get(*path);
                source.is_some_and(|source| meant.contains(&source.as_str()))
            });
            if !reached {
                self.count(Measure::Includes, at, at + 1);
            }
        }
    }
}

/// Whether a token can be part of a line that includes something.
fn in_include(file: &Scanned, at: usize) -> bool {
    match file.kind(at) {
        Some(Kind::Space | Kind::Header) => true,
        _ => matches!(file.bytes(at), b"#" | b"include" | b"include_next"),
    }
}

/// The tokens of one kind in a range.
fn texts(file: &Scanned, range: Range<usize>, kind: Kind) -> Vec<&[u8]> {
    let tokens = range.filter(|at| file.kind(*at) == Some(kind));
    tokens.map(|at| file.bytes(at)).collect()
}
