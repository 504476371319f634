//! Branches for the newest of CUDA's GPUs.

use std::ops::Range;

use crate::Parsed;
use rustc_hash::FxHashSet;
use torchada_syntax::{Conditional, DirectiveKind, TokenKind};

use super::decider::Decider;
use super::fallback::WorkDetector;

/// What a declaration starts with that computes nothing.
const DECLARES: [&str; 7] = [
    "const",
    "constexpr",
    "namespace",
    "static",
    "static_assert",
    "typedef",
    "using",
];

impl Decider<'_> {
    /// Whether a branch for the newest GPUs stays closed although MUSA has all that it holds: it only says that such a
    /// GPU is there, or an older branch does the same work.
    pub(super) fn stays_closed(
        &self,
        conditional: &Conditional,
        number: i64,
        newer: &[usize],
    ) -> bool {
        number >= self.context.knowledge.shapes.guards.newest
            && self.can_close(conditional, number, newer)
    }

    /// Whether nothing is lost where the branches for GPUs from `number` on are closed.
    pub(super) fn can_close(
        &self,
        conditional: &Conditional,
        number: i64,
        newer: &[usize],
    ) -> bool {
        let older = self.taken(conditional, number - 1).possible;
        let mut older = older.iter().filter(|branch| !newer.contains(branch));
        let works = older.any(|&branch| self.has_working_implementation(conditional, branch));
        // `#if __CUDA_ARCH__ < 900` around an error: the work stands behind it.
        works
            || !newer.is_empty() && newer.iter().all(|&at| !self.does_work(conditional, at))
            || self.code_behind(conditional, newer).is_some()
    }

    /// Whether a branch does anything after the translation of its assembly but define macros, constants and types,
    /// or call what a template's argument has.
    fn does_work(&self, conditional: &Conditional, branch: usize) -> bool {
        let Some(branch) = conditional.branches.get(branch) else {
            return false;
        };
        let mut skipped = self.skipped(branch.tokens.clone());
        skipped.sort_by_key(|range| range.start);
        let mut skipped = skipped.into_iter().peekable();
        let mut work_starts = 0;
        let left = branch.tokens.clone().filter(|&at| {
            while let Some(range) = skipped.next_if(|range| range.start <= at) {
                work_starts = work_starts.max(range.end);
            }
            at >= work_starts
        });
        WorkDetector::of(self.source, self.parsed, self.context).is_in(left)
    }

    /// The tokens that are no work.
    fn skipped(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let mut found = self.nothing_left(tokens.clone());
        let is = |at: usize, text: &str| self.parsed.tokens.is(at, self.source, text);
        let mut starts = true;
        let mut at = tokens.start;
        while at < tokens.end {
            if let Some(directive) = self.parsed.tokens.directive_of(at) {
                let define = matches!(directive.kind, DirectiveKind::Define | DirectiveKind::Undef);
                let end = directive.tokens.end.max(at + 1);
                if define {
                    found.push(at..end);
                }
                (at, starts) = (end, true);
                continue;
            }
            let declares = || DECLARES.iter().any(|word| is(at, word));
            if starts && (declares() || self.is_parameter(at) && is(at + 1, "::")) {
                let end = (at..tokens.end).find(|&one| is(one, ";"));
                let end = end.map_or(tokens.end, |end| end + 1);
                found.push(at..end);
                at = end;
                continue;
            }
            starts = [";", "{", "}"].iter().any(|end| is(at, end));
            at += 1;
        }
        found
    }

    /// Whether the name at `index` is the parameter of a template: `template <typename Kernel>`.
    fn is_parameter(&self, index: usize) -> bool {
        let parameters = self
            .template_parameters
            .get_or_init(|| template_parameters(self.source, self.parsed));
        let name = self.parsed.tokens.get(index);
        name.is_some_and(|name| parameters.contains(name.text(self.source)))
    }
}

/// The names of the parameters of all templates in a file.
fn template_parameters<'s>(source: &'s [u8], parsed: &Parsed) -> FxHashSet<&'s [u8]> {
    let tokens = &parsed.tokens;
    let kinds = [&b"typename"[..], b"class"];
    let places = kinds
        .into_iter()
        .flat_map(|kind| tokens.places(source, kind));
    let names = places.map(|at| at + 1).filter(|&at| {
        let ends = |end: &&str| tokens.is(at + 1, source, end);
        [">", ",", "="].iter().any(ends)
    });
    let names = names.filter_map(|at| tokens.get(at));
    names
        .filter(|name| name.kind == TokenKind::Identifier)
        .map(|name| name.text(source))
        .collect()
}
