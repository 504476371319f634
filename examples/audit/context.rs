//! What the measures of guards, checks and forms ask about a token: where it comes from, and
//! what the report says there.

use std::ops::Range;

use crate::align::{Change, Scanned};
use crate::architectures::CUDA;
use crate::compare::Comparison;
use crate::measure::{Example, Measure};
use crate::python::lines::Lines;
use crate::scan::Kind;
use crate::trees::{Span, span};

/// A comparison that became a constant, with a comment that keeps what it was, or that got a
/// number of MUSA's, with a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    /// Its tokens in the input.
    before: Range<usize>,
    /// The comment in the output.
    comment: Option<usize>,
}

/// The token of the input that each token of the output was.
pub(crate) fn origin(before: &Scanned, after: &Scanned, changes: &[Change]) -> Vec<Option<usize>> {
    let mut origin = Vec::with_capacity(after.tokens.len());
    let mut old = 0;
    for change in changes {
        let same = change.after.start.saturating_sub(origin.len());
        origin.extend((old..old + same).map(Some));
        if change.is_single() {
            origin.push(Some(change.before.start));
        } else {
            // Where several tokens became several others, the names pair up in their order if there
            // are as many on either side; other tokens have no origin.
            let named = |file: &Scanned, range: Range<usize>| -> Vec<usize> {
                range
                    .filter(|at| file.kind(*at) == Some(Kind::Identifier))
                    .collect()
            };
            let (from, to) = (
                named(before, change.before.clone()),
                named(after, change.after.clone()),
            );
            let pairs = from.len() == to.len();
            origin.extend(change.after.clone().map(|at| {
                let place = to.iter().position(|one| *one == at).filter(|_| pairs);
                place.and_then(|place| from.get(place).copied())
            }));
        }
        old = change.before.end;
    }
    let rest = after.tokens.len().saturating_sub(origin.len());
    origin.extend((old..old + rest).map(Some));
    origin
}

impl Comparison<'_> {
    fn span(&self, first: usize, end: usize) -> Span {
        let tokens = &self.before.tokens;
        let start = tokens.get(first).map_or(0, |token| token.start);
        let last = tokens.get(end.saturating_sub(1));
        span(&self.lines, start, last.map_or(start, |token| token.end))
    }

    /// Whether the report speaks of exactly these tokens of the input.
    pub(crate) fn is_reported(&self, first: usize, end: usize) -> bool {
        let span = self.span(first, end);
        self.world.report.reports(&self.pair.source, span)
    }

    /// Whether the report speaks of a place that meets these tokens of the input.
    pub(crate) fn is_reported_near(&self, first: usize, end: usize) -> bool {
        let span = self.span(first, end);
        self.world.report.reports_near(&self.pair.source, span)
    }

    /// Whether a token of the input stands in the output as it was.
    pub(crate) fn stays(&self, at: usize) -> bool {
        self.change(at).is_none()
    }

    /// Count a token of the output that has no counterpart in the input.
    pub(crate) fn count_new(&mut self, measure: Measure, at: usize) {
        let start = self.after.tokens.get(at).map_or(0, |token| token.start);
        let (line, column) = Lines::new(&self.after.text).at(start);
        let text = String::from_utf8_lossy(self.after.bytes(at)).into_owned();
        let example = Example {
            path: self.pair.output.clone(),
            line,
            column,
            text,
        };
        self.tally.count(measure, example);
    }

    /// Find the comparisons that became constants. A comment is about one where the very text of
    /// it is the input's code nearby, and is code no longer.
    pub(crate) fn find_decided(&mut self) {
        const NEAR: usize = 600;
        let mut found = Vec::new();
        for change in &self.changes {
            for comment in change.after.clone() {
                let text = self.after.bytes(comment);
                let inner = text.strip_prefix(b"/* ");
                let inner = inner.and_then(|text| text.strip_suffix(b" */"));
                let Some(inner) = inner.filter(|text| contains(text, CUDA)) else {
                    continue;
                };
                if self.after.kind(comment) != Some(Kind::Comment) {
                    continue;
                }
                let tokens = &self.before.tokens;
                let place = tokens
                    .get(change.before.start)
                    .map_or(self.before.text.len(), |token| token.start);
                let from = tokens.partition_point(|token| token.end + NEAR < place);
                let near = (from..tokens.len())
                    .take_while(|at| tokens[*at].start < place + NEAR)
                    .filter(|at| self.before.text[tokens[*at].start..].starts_with(inner));
                let ranges = near.filter_map(|at| {
                    let end = tokens[at].start + inner.len();
                    let last = tokens.partition_point(|token| token.start < end);
                    let named = (at..last).find(|one| self.before.bytes(*one) == CUDA)?;
                    let gone = self.change(named).is_some() && tokens[last - 1].end == end;
                    gone.then_some(at..last)
                });
                let nearest = ranges.min_by_key(|range| tokens[range.start].start.abs_diff(place));
                found.extend(nearest.map(|before| Decided {
                    before,
                    comment: Some(comment),
                }));
            }
        }
        found.extend(self.renumbered().into_iter().map(|before| Decided {
            before,
            comment: None,
        }));
        self.decided = found;
    }

    /// Whether a token of the input is part of a decided comparison.
    pub(crate) fn is_in_decided(&self, at: usize) -> bool {
        self.decided.iter().any(|one| one.before.contains(&at))
    }

    /// Whether a change lies in a condition that names MUSA's compiler in the output: MUSA takes the branch of another
    /// vendor there.
    fn is_taken_arm(&self, change: &Change) -> bool {
        let is_directive = |at: &usize| self.after.tokens.get(*at).is_some_and(|one| one.directive);
        let start = change.after.start;
        let ahead = (start..self.after.tokens.len()).take_while(is_directive);
        let behind = (0..start).rev().take_while(is_directive);
        let mut line = ahead.chain(behind);
        line.any(|at| self.after.bytes(at) == b"__MUSACC__")
    }

    /// Whether a change is part of what a decided comparison became.
    pub(crate) fn is_decided(&self, change: &Change) -> bool {
        if self.is_taken_arm(change) {
            return true;
        }
        let comments = change
            .after
            .clone()
            .filter(|at| self.after.kind(*at) == Some(Kind::Comment));
        let known = |comment: usize| self.decided.iter().any(|one| one.comment == Some(comment));
        let mut all = comments.peekable();
        let explains = all.peek().is_some();
        if !all.all(known) {
            return false;
        }
        let inside = self.decided.iter().any(|one| {
            one.before.start <= change.before.start && change.before.end <= one.before.end
        });
        inside || (explains && change.before.is_empty())
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
