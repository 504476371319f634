//! Guards of one function that ask for the same number: what one of them declares, another may use, so that they are
//! decided together.

use std::collections::BTreeMap;

use torchada_mapping::Relation;
use torchada_syntax::{Conditional, DirectiveKind, ScopeKind};
use torchada_text::TextRange;

use super::decider::{Cap, Decider, class};

impl Decider<'_> {
    /// For each conditional the number that it stays below.
    pub(super) fn caps(&self) -> Vec<Option<Cap>> {
        let all = self.parsed.conditionals.all();
        // By function and number: the conditionals.
        let mut together: BTreeMap<(usize, i64), Vec<usize>> = BTreeMap::new();
        for (at, conditional) in all.iter().enumerate() {
            let function = self
                .values_of_musa
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
                .partition(|at| self.values_of_musa.get(*at).copied().flatten() > Some(number));
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
        self.cap_includes(&mut caps);
        caps
    }

    /// Let conditionals that only include headers which MUSA lacks stay below a number, where all others in the file
    /// that ask for it do: what the headers have is not used then.
    fn cap_includes(&self, caps: &mut [Option<Cap>]) {
        let all = self.parsed.conditionals.all();
        let chosen = |at: usize| self.values_of_musa.get(at).copied().flatten();
        for (at, conditional) in all.iter().enumerate() {
            let Some(value) = chosen(at) else { continue };
            let numbers = self.numbers(conditional);
            let Some(&number) = numbers.iter().rev().find(|&&number| value > number) else {
                continue;
            };
            let older = self.taken(conditional, number - 1);
            let newer = self.taken(conditional, class(number)).newer_than(&older);
            let is_free = caps.get(at).is_some_and(Option::is_none);
            if !is_free
                || newer.is_empty()
                || !newer.iter().all(|&one| self.only_lacks(conditional, one))
            {
                continue;
            }
            let others = all.iter().enumerate().filter(|&(other, one)| {
                other != at && chosen(other).is_some() && self.numbers(one).contains(&number)
            });
            let mut by = None;
            let mut is_used = false;
            for (other, one) in others {
                if chosen(other) > Some(number) {
                    is_used = true;
                } else {
                    by = by.or_else(|| self.opens(one));
                }
            }
            if let Some(by) = by.filter(|_| !is_used)
                && let Some(slot) = caps.get_mut(at)
            {
                *slot = Some(Cap { number, by });
            }
        }
    }

    /// Whether a branch holds nothing but includes of headers without a counterpart.
    fn only_lacks(&self, conditional: &Conditional, branch: usize) -> bool {
        let Some(branch) = conditional.branches.get(branch) else {
            return false;
        };
        let mut headers = 0;
        for index in branch.tokens.clone() {
            let Some(token) = self.parsed.tokens.get(index) else {
                continue;
            };
            let directive = self.parsed.tokens.directive_of(index);
            if directive.is_none_or(|one| one.kind != DirectiveKind::Include) {
                return false;
            }
            let path = String::from_utf8_lossy(token.text(self.source)).into_owned();
            let row = self
                .context
                .tables
                .header(path.trim_matches(['<', '>', '"']));
            if row.is_none_or(|row| !matches!(row.relation, Relation::Absent | Relation::Unknown)) {
                return false;
            }
            headers += 1;
        }
        headers > 0
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
