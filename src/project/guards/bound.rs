//! Guards of one function that ask for the same number: what one of them declares, another may use, so that they are
//! decided together.

use std::collections::BTreeMap;

use crate::syntax::{Conditional, ScopeKind};
use crate::text::TextRange;

use super::decider::{Cap, Decider, class};

impl Decider<'_> {
    /// For each conditional the number that it stays below.
    pub(super) fn caps(&self) -> Vec<Option<Cap>> {
        let all = self.parsed.conditionals.all();
        // By function and number: the conditionals.
        let mut together: BTreeMap<(usize, i64), Vec<usize>> = BTreeMap::new();
        for (at, conditional) in all.iter().enumerate() {
            let function = self
                .chosen
                .get(at)
                .copied()
                .flatten()
                .and(self.function(conditional));
            for number in function.map_or(Vec::new(), |_| self.numbers(conditional)) {
                let key = (function.unwrap_or_default(), number);
                together.entry(key).or_default().push(at);
            }
        }
        let mut caps = self.caps.clone();
        for ((_, number), conditionals) in together {
            let matters = |at: &usize| {
                all.get(*at).is_some_and(|one| {
                    self.taken(one, class(number)) != self.taken(one, number - 1)
                })
            };
            let (open, closed): (Vec<usize>, Vec<usize>) = conditionals
                .into_iter()
                .filter(matters)
                .partition(|at| self.chosen.get(*at).copied().flatten() > Some(number));
            let by = closed.first().and_then(|&at| self.opens(all.get(at)?));
            let can_close = |at: &usize| {
                all.get(*at).is_some_and(|one| {
                    let older = self.taken(one, number - 1);
                    let newer = self.taken(one, class(number)).newer_than(&older);
                    self.can_close(one, number, &newer)
                })
            };
            let Some(by) = by.filter(|_| open.iter().all(can_close)) else {
                continue;
            };
            for at in open {
                if let Some(slot) = caps.get_mut(at)
                    && slot.is_none_or(|known| number < known.number)
                {
                    *slot = Some(Cap { number, by });
                }
            }
        }
        caps
    }

    /// The directive that opens a conditional.
    fn opens(&self, conditional: &Conditional) -> Option<TextRange> {
        let first = conditional.branches.first()?;
        Some(self.parsed.tokens.directives.get(first.directive)?.range)
    }

    /// The outermost function around a conditional that MUSA reaches.
    fn function(&self, conditional: &Conditional) -> Option<usize> {
        let place = self.opens(conditional)?.start;
        if self.is_foreign(place) || self.guards.is_closed(place) {
            return None;
        }
        let first = conditional.branches.first()?;
        let outline = &self.parsed.outline;
        let functions = outline.enclosing(first.tokens.start).filter(|&at| {
            let scope = outline.scopes.get(at);
            scope.is_some_and(|scope| scope.kind == ScopeKind::Function)
        });
        functions.last()
    }
}
