//! Comparisons outside of conditionals: in `if constexpr`, and in the bodies of macros.

use std::ops::Range;

use torchada_diagnostic::Severity;
use torchada_syntax::DirectiveKind;
use torchada_text::TextRange;

use super::comparison::{Comparison, Operator};
use super::decider::{Decider, class, decision_for};
use super::decision::{Closed, Decision};
use super::fallback::WorkDetector;
use super::{Switch, features};

impl Decider<'_> {
    /// Comparisons outside conditionals: `if constexpr (…)`, and bodies of macros.
    pub(super) fn outside_conditions(&mut self) {
        for at in 0..self.comparisons.len() {
            if self.decisions.get(at) != Some(&Decision::Open) {
                continue;
            }
            let Some(comparison) = self.comparisons.get(at).cloned() else {
                continue;
            };
            let in_condition = self
                .parsed
                .tokens
                .directive_of(comparison.index)
                .is_some_and(|one| one.kind != DirectiveKind::Define);
            let Some(number) = comparison.number.filter(|_| !in_condition) else {
                continue;
            };
            if let Some(decision) = self.outside(&comparison, number) {
                self.set(at, decision);
            }
        }
    }

    pub(super) fn outside(&mut self, comparison: &Comparison, number: i64) -> Option<Decision> {
        let newer = matches!(comparison.operator, Operator::AtLeast | Operator::Above);
        let tokens = &self.parsed.tokens;
        if let Some(define) = tokens.directive_of(comparison.index) {
            let name = tokens.get(define.tokens.start)?.text(self.source);
            return match comparison.operator {
                Operator::Equal | Operator::Unequal => {
                    Some(decision_for(comparison.operator, number, 1, None))
                }
                _ if newer => self.of_macro(comparison, number, name),
                _ => None,
            };
        }
        let (then, otherwise) = self.branches_of_if(comparison.index)?;
        if let Some(lower) = self.lower_bound(comparison) {
            return self.upper_bound(comparison, number, lower, then);
        }
        let (opened, fallback) = if newer {
            (Some(then), otherwise)
        } else {
            (otherwise, Some(then))
        };
        let opened = opened?;
        let (direct, behind) = self.blocking_in(&[opened]);
        let newest = number >= self.context.knowledge.shapes.guards.newest;
        if newest && direct.is_empty() && behind.is_empty() && self.works_in(fallback) {
            self.guards.disabled.push(opened);
            return Some(decision_for(comparison.operator, number, 1, None));
        }
        if direct.is_empty() && behind.is_empty() {
            let feature = features::needed(self.source, self.parsed, self.context, &[opened]);
            return Some(decision_for(
                comparison.operator,
                number,
                class(number),
                feature,
            ));
        }
        let mut holds: Vec<String> = direct.iter().map(|hit| hit.what.clone()).collect();
        holds.dedup();
        holds.extend(behind);
        self.guards.closed.push(Closed {
            at: comparison.range,
            holds,
            leads_to: self.leads_to(&direct, &[opened]),
            switches: Vec::new(),
            without_fallback: false,
            severity: Severity::Error,
            branch: None,
            fallback,
            other_vendor: None,
        });
        self.guards.disabled.push(opened);
        Some(decision_for(comparison.operator, number, 1, None))
    }

    /// Decide about a comparison with a newer GPU that is the value of the macro `name`. What the macro opens, the conditionals
    /// that test it say.
    fn of_macro(&mut self, comparison: &Comparison, number: i64, name: &[u8]) -> Option<Decision> {
        let off = number >= self.context.knowledge.shapes.guards.newest;
        self.guards.switches.push(Switch {
            name: name.to_vec(),
            off,
            is_zero: true,
        });
        if off && self.unsupported.construct_behind(name).is_none() {
            return Some(Decision::Constant(false));
        }
        let holds = self.unsupported.construct_behind(name)?.to_owned();
        self.guards.closed.push(Closed {
            at: comparison.range,
            leads_to: holds.clone(),
            holds: vec![holds],
            switches: vec![String::from_utf8_lossy(name).into_owned()],
            without_fallback: self.unsupported.is_without_fallback(name),
            severity: Severity::Error,
            branch: None,
            fallback: None,
            other_vendor: None,
        });
        Some(Decision::Constant(false))
    }

    /// The comparison with the least number of a range, of which this one has the greatest: `A >= 800 && A < 900`.
    fn lower_bound(&self, comparison: &Comparison) -> Option<usize> {
        let is_upper =
            |one: &Comparison| matches!(one.operator, Operator::Below | Operator::AtMost);
        let is_lower =
            |one: &Comparison| matches!(one.operator, Operator::AtLeast | Operator::Above);
        if !is_upper(comparison) {
            return None;
        }
        let condition = self.condition_of(comparison.index)?;
        let mut all = self.comparisons.iter();
        all.position(|one| is_lower(one) && condition.contains(&one.index))
    }

    /// The decision about the greatest number of a range, which follows from that about the least.
    fn upper_bound(
        &mut self,
        comparison: &Comparison,
        number: i64,
        lower: usize,
        then: TextRange,
    ) -> Option<Decision> {
        let first = self.comparisons.get(lower).cloned()?;
        let least = first.number?;
        if self.decisions.get(lower) == Some(&Decision::Open)
            && let Some(decision) = self.outside(&first, least)
        {
            self.set(lower, decision);
        }
        let is_closed = self.guards.is_disabled(then.start);
        let value = if is_closed { 1 } else { class(least) };
        Some(decision_for(comparison.operator, number, value, None))
    }

    /// Whether a block does work with what MUSA has.
    fn works_in(&self, block: Option<TextRange>) -> bool {
        block.is_some_and(|block| {
            let (direct, behind) = self.blocking_in(&[block]);
            let work = WorkDetector::of(self.source, self.parsed, self.context);
            direct.is_empty() && behind.is_empty() && work.is_in(self.tokens_in(block))
        })
    }

    /// The bodies of the `if` whose condition is nothing but the comparison at `index`, or a range with it.
    fn branches_of_if(&self, index: usize) -> Option<(TextRange, Option<TextRange>)> {
        let (_, then, otherwise) = self.if_of(index)?;
        Some((then, otherwise))
    }

    /// The tokens of that condition.
    fn condition_of(&self, index: usize) -> Option<Range<usize>> {
        Some(self.if_of(index)?.0)
    }

    fn if_of(&self, index: usize) -> Option<(Range<usize>, TextRange, Option<TextRange>)> {
        let is = |at: usize, text: &str| self.parsed.tokens.is(at, self.source, text);
        // `A >= 800 && A < 900` has seven tokens.
        let open = (index.saturating_sub(8)..index)
            .rev()
            .find(|&at| is(at, "("))?;
        if !is(open.checked_sub(1)?, "if") && !is(open - 1, "constexpr") {
            return None;
        }
        let found = self.if_at(open)?;
        let condition = &found.0;
        let joined = condition.clone().filter(|&at| is(at, "&&")).count();
        let is_range = joined == 1 && condition.len() <= 8 && {
            let inside = self.comparisons.iter();
            inside.filter(|one| condition.contains(&one.index)).count() == 2
        };
        (condition.len() <= 4 || is_range).then_some(found)
    }

    /// The `if` whose condition opens at the bracket `open`: the tokens of the condition, and its two blocks.
    pub(super) fn if_at(
        &self,
        open: usize,
    ) -> Option<(Range<usize>, TextRange, Option<TextRange>)> {
        let tokens = &self.parsed.tokens;
        let is = |at: usize, text: &str| tokens.is(at, self.source, text);
        let close = self
            .parsed
            .outline
            .partner(open)
            .filter(|_| is(open, "("))?;
        let block = |at: usize| {
            let end = self.parsed.outline.partner(at).filter(|_| is(at, "{"))?;
            let range = TextRange::new(tokens.get(at)?.range().start, tokens.get(end)?.range().end);
            Some((range, end))
        };
        let (then, end) = block(close + 1)?;
        let otherwise = if is(end + 1, "else") {
            block(end + 2).map(|(range, _)| range)
        } else {
            None
        };
        Some((open + 1..close, then, otherwise))
    }
}
