//! Kernels of which nothing is left.

use std::ops::Range;

use torchada_diagnostic::Severity;
use torchada_syntax::{Conditional, ScopeKind};
use torchada_text::TextRange;

use super::branches::TakenBranches;
use super::decider::Decider;
use super::decision::{Closed, Decision};
use super::fallback::WorkDetector;

impl Decider<'_> {
    /// A function whose work stands in branches for other GPUs, and that MUSA leaves empty or that gives up there.
    pub(super) fn lost_kernel(
        &self,
        conditional: &Conditional,
        disabled: &[usize],
        taken: &TakenBranches,
    ) -> Option<Closed> {
        let work = WorkDetector::of(self.source, self.parsed, self.context);
        let tokens = |at: usize| conditional.branches.get(at).map(|one| one.tokens.clone());
        let newest = disabled.iter().copied().find(|&at| {
            let code = tokens(at).filter(|code| {
                let mut directives = code.clone();
                !directives.any(|at| self.parsed.tokens.directive_of(at).is_some())
            });
            code.is_some_and(|code| {
                let nothing = self.nothing_left(code.clone());
                work.is_in(code.filter(|at| nothing.iter().all(|one| !one.contains(at))))
            })
        })?;
        let mut left = taken.possible.iter().copied();
        let works = |at: usize| self.has_working_implementation(conditional, at);
        let gives_up = |at: usize| tokens(at).is_some_and(|code| work.gives_up_in(code));
        let gone = !left.clone().any(works)
            && self.code_behind(conditional, disabled).is_none()
            && (left.any(gives_up) || self.is_whole_function(conditional));
        let asking = self.of_branch(conditional, newest);
        let asking = asking.first().and_then(|&at| self.comparisons.get(at));
        let at = asking.filter(|_| gone)?.range;
        Some(Closed {
            at,
            holds: Vec::new(),
            leads_to: String::new(),
            switches: Vec::new(),
            without_fallback: false,
            severity: Severity::Error,
            branch: None,
            fallback: None,
            other_vendor: None,
        })
    }

    /// Whether a function has nothing but this conditional.
    fn is_whole_function(&self, conditional: &Conditional) -> bool {
        let (Some(first), Some(last)) = (conditional.branches.first(), conditional.branches.last())
        else {
            return false;
        };
        let outline = &self.parsed.outline;
        let scope = outline.enclosing(first.tokens.start).next();
        let Some(scope) = scope.and_then(|at| outline.scopes.get(at)) else {
            return false;
        };
        let body = scope.tokens.start + 1..scope.tokens.end.saturating_sub(1);
        let outside = |at: usize| {
            (at < first.tokens.start || at >= last.tokens.end)
                && self.parsed.tokens.directive_of(at).is_none()
        };
        scope.kind == ScopeKind::Function && !body.into_iter().any(outside)
    }

    /// The places of the macro, by their tokens, that decide by CUDA's number whether a function does its work.
    pub(super) fn deciding(&self) -> Vec<usize> {
        let open = self.comparisons.iter().zip(&self.decisions);
        let open = open.filter(|(_, decision)| **decision == Decision::Open);
        let places = open.map(|(one, _)| one.index);
        let mut places: Vec<usize> = places.chain(self.guards.values.iter().copied()).collect();
        places.sort_unstable();
        // Of several places in one condition, the first one is enough.
        let mut covered = 0;
        places.retain(|&index| {
            let end = self.decides_work(index).filter(|_| index >= covered);
            covered = end.unwrap_or(covered);
            end.is_some()
        });
        places
    }

    /// Where the condition ends that has the macro at `index` and decides whether a function does its work.
    fn decides_work(&self, index: usize) -> Option<usize> {
        let is = |at: usize, text: &str| self.parsed.tokens.is(at, self.source, text);
        if self.parsed.tokens.directive_of(index).is_some() {
            return None;
        }
        // `if constexpr (Arch::is_compatible(__CUDA_ARCH__))`
        let open = (index.saturating_sub(40)..index)
            .rev()
            .find(|&at| is(at, "(") && at > 0 && (is(at - 1, "if") || is(at - 1, "constexpr")));
        let (condition, then, otherwise) = self.if_at(open?)?;
        let tokens = |range: TextRange| self.tokens_in(range);
        let work = WorkDetector::of(self.source, self.parsed, self.context);
        let end = tokens(otherwise.unwrap_or(then)).end;
        let is_last = is(end, "}") || self.behind_directive(end);
        let none = otherwise.is_none_or(|range| {
            let code = tokens(range);
            work.gives_up_in(code.clone()) || !work.is_in(code)
        });
        let decides = condition.contains(&index) && none && is_last && work.is_in(tokens(then));
        decides.then_some(condition.end)
    }

    /// Whether a directive stands before the token at `index`, behind the one before that.
    fn behind_directive(&self, index: usize) -> bool {
        let tokens = &self.parsed.tokens;
        let (Some(before), Some(here)) = (
            index.checked_sub(1).and_then(|at| tokens.get(at)),
            tokens.get(index),
        ) else {
            return false;
        };
        let between = TextRange::new(before.range().end, here.range().end);
        tokens.directive_of(index).is_some()
            || tokens
                .directives
                .iter()
                .any(|one| between.contains(one.range.start))
    }

    /// The tokens of a stretch.
    pub(super) fn tokens_in(&self, range: TextRange) -> Range<usize> {
        let tokens = &self.parsed.tokens.tokens;
        let place = |offset: usize| tokens.partition_point(|one| one.range().start < offset);
        place(range.start)..place(range.end)
    }
}
