//! What is said of branches that MUSA can't take.

use std::ops::Range;

use crate::diagnostic::Severity;
use crate::hazards::Hit;
use crate::project::regions::Region;
use crate::syntax::{Conditional, DirectiveKind, Token, TokenKind};
use crate::text::TextRange;

use super::decide::Decider;
use super::decision::Closed;

impl Decider<'_> {
    pub(super) fn closed(
        &self,
        conditional: &Conditional,
        asking: Option<usize>,
        newer: &[usize],
        taken: &[usize],
        direct: &[&Hit],
        behind: Vec<String>,
    ) -> Closed {
        let at = asking
            .and_then(|at| self.comparisons.get(at))
            .map_or(TextRange::new(0, 0), |one| one.range);
        let weight = |hit: &&&Hit| {
            let row = self.lore.hazards.rows().get(hit.row);
            row.map_or(Severity::Error, |row| match row.severity.as_ref() {
                "note" => Severity::Note,
                "warning" => Severity::Warning,
                _ => Severity::Error,
            })
        };
        let mut severity = direct.iter().map(|hit| weight(&hit)).max();
        // What does nothing on MUSA may be left out, but not the work that stands beside it.
        let statements = newer
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
            .flat_map(|branch| branch.tokens.clone())
            .filter(|&at| self.parsed.tokens.is(at, self.source, ";"))
            .count();
        if !behind.is_empty() || statements > direct.len() {
            severity = Some(Severity::Error);
        }
        let mut holds: Vec<String> = Vec::new();
        for hit in direct {
            if !holds.contains(&hit.what) {
                holds.push(hit.what.clone());
            }
        }
        holds.extend(behind);
        let directive = |branch: usize| {
            let branch = conditional.branches.get(branch)?;
            let directive = self.parsed.tokens.directives.get(branch.directive)?;
            Some(directive.range)
        };
        let fallback = taken
            .iter()
            .copied()
            .find(|&branch| self.is_way(conditional, branch))
            .and_then(directive);
        let other_vendor = conditional
            .branches
            .iter()
            .position(|branch| self.parsed.regions.at(branch.body.start) == Region::OtherVendor)
            .and_then(directive);
        let switches = self.switches(conditional, newer);
        Closed {
            at,
            switches,
            holds,
            severity: severity.unwrap_or(Severity::Error),
            fallback,
            other_vendor,
        }
    }

    /// The macros that the branches define, if they do nothing else.
    pub(super) fn switches(&self, conditional: &Conditional, branches: &[usize]) -> Vec<String> {
        let mut found = Vec::new();
        for branch in branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
        {
            for index in branch.tokens.clone() {
                let directive = self.parsed.tokens.directive_of(index);
                let Some(define) = directive.filter(|one| one.kind == DirectiveKind::Define) else {
                    return Vec::new();
                };
                if define.tokens.start == index
                    && let Some(name) = self.parsed.tokens.get(index)
                {
                    found.push(String::from_utf8_lossy(name.text(self.source)).into_owned());
                }
            }
        }
        found
    }

    /// Whether a branch is a way to do the work: it holds code, and not only a way to give up.
    pub(super) fn is_way(&self, conditional: &Conditional, branch: usize) -> bool {
        let Some(branch) = conditional.branches.get(branch) else {
            return false;
        };
        let gives_up = &self.lore.knowledge.shapes.guards.gives_up;
        let mut words = branch
            .tokens
            .clone()
            .filter_map(|index| self.parsed.tokens.get(index))
            .filter(|token| token.kind != TokenKind::Punct)
            .map(|token| token.text(self.source));
        let errors = self.parsed.tokens.directives.iter().any(|one| {
            branch.body.contains(one.range.start)
                && one.range.of(self.source).starts_with(b"#error")
        });
        let mut any = false;
        let only_gives_up = words
            .by_ref()
            .inspect(|_| any = true)
            .next()
            .is_some_and(|first| gives_up.iter().any(|one| one.as_bytes() == first));
        let (direct, behind) = self.blocking_in(&[branch.body]);
        let way = any && !errors && !only_gives_up && direct.is_empty() && behind.is_empty();
        way && !self.only_returns(&branch.tokens)
    }

    /// Whether there is nothing but `return 0;` or the like: the work is left undone.
    fn only_returns(&self, branch: &Range<usize>) -> bool {
        let words: Vec<Token> = branch
            .clone()
            .filter_map(|index| self.parsed.tokens.get(index))
            .filter(|token| token.kind != TokenKind::Punct)
            .collect();
        let is_value = |token: &Token| {
            token.kind == TokenKind::Number
                || matches!(token.text(self.source), b"false" | b"nullptr" | b"true")
        };
        match words.as_slice() {
            [first, rest @ ..] => {
                first.text(self.source) == b"return" && rest.len() <= 1 && rest.iter().all(is_value)
            }
            [] => false,
        }
    }
}
