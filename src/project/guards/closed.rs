//! Findings about branches that MUSA can't take.

use crate::platforms::regions::Region;
use torchada_diagnostic::Severity;
use torchada_hazards::Hit;
use torchada_syntax::{Conditional, DirectiveKind, ScopeKind};
use torchada_text::TextRange;

use super::choose::DeniedBranches;
use super::decider::Decider;
use super::decision::Closed;
use super::fallback::WorkDetector;

impl Decider<'_> {
    pub(super) fn closed(
        &self,
        conditional: &Conditional,
        asking: Option<usize>,
        taken: &[usize],
        denied: DeniedBranches<'_>,
    ) -> Closed {
        let DeniedBranches {
            branches: newer,
            direct,
            behind,
        } = denied;
        let newer = newer.as_slice();
        let at = asking
            .and_then(|at| self.comparisons.get(at))
            .map_or(TextRange::new(0, 0), |one| one.range);
        let severity = if behind.is_empty() {
            self.severity(conditional, newer, &direct)
        } else {
            Severity::Error
        };
        let mut holds: Vec<String> = Vec::new();
        for hit in &direct {
            if !holds.contains(&hit.what) {
                holds.push(hit.what.clone());
            }
        }
        holds.extend(behind);
        let bodies = conditional.bodies(newer);
        let leads_to = self.leads_to(&direct, &bodies);
        let directive = |branch: usize| {
            let branch = conditional.branches.get(branch)?;
            let directive = self.parsed.tokens.directives.get(branch.directive)?;
            Some(directive.range)
        };
        let fallback = taken
            .iter()
            .copied()
            .find(|&branch| self.has_working_implementation(conditional, branch))
            .and_then(directive);
        let other_vendor = conditional
            .branches
            .iter()
            .position(|branch| self.parsed.regions.at(branch.body.start) == Region::OtherVendor)
            .and_then(directive);
        let fallback = fallback.or_else(|| self.code_behind(conditional, newer));
        // Where another branch defines the same, that is the fallback.
        let switches = if fallback.is_some() {
            Vec::new()
        } else {
            self.switches(conditional, newer)
        };
        let without_fallback = switches
            .iter()
            .any(|switch| self.unsupported.is_without_fallback(&switch.name));
        let switches = switches.iter();
        let switches = switches.map(|switch| String::from_utf8_lossy(&switch.name).into_owned());
        Closed {
            without_fallback,
            at,
            switches: switches.collect(),
            holds,
            leads_to,
            severity,
            branch: newer.first().copied().and_then(directive),
            fallback,
            other_vendor,
        }
    }

    /// How much the branches are missed that hold these hits, and nothing behind them.
    fn severity(&self, conditional: &Conditional, newer: &[usize], direct: &[&Hit]) -> Severity {
        // What does nothing on MUSA may be left out, but not the work that stands beside it.
        let statements = newer
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
            .flat_map(|branch| branch.tokens.clone())
            .filter(|&at| self.parsed.tokens.is(at, self.source, ";"))
            .count();
        if statements > direct.len() {
            return Severity::Error;
        }
        let waits = &self.context.knowledge.shapes.guards.waits_for_copies;
        let weight = |hit: &&Hit| {
            if waits.contains(&hit.what) {
                return Severity::Note;
            }
            let row = self.context.hazards.rows().get(hit.row);
            row.map_or(Severity::Error, |row| match row.severity.as_ref() {
                "note" => Severity::Note,
                "warning" => Severity::Warning,
                _ => Severity::Error,
            })
        };
        direct.iter().map(weight).max().unwrap_or(Severity::Error)
    }

    /// Code behind a conditional whose only branch returns, or ends in an `else`: where it is left out, that is run.
    pub(super) fn code_behind(
        &self,
        conditional: &Conditional,
        newer: &[usize],
    ) -> Option<TextRange> {
        let [branch] = conditional.branches.as_slice() else {
            return None;
        };
        if newer != [0] {
            return None;
        }
        let text = |index: usize| {
            let token = self.parsed.tokens.get(index);
            token.map_or(&b""[..], |token| token.text(self.source))
        };
        let ends_in_else =
            branch.tokens.end > branch.tokens.start && text(branch.tokens.end - 1) == b"else";
        let last = ends_in_else
            || branch
                .tokens
                .clone()
                .rev()
                .skip_while(|&at| matches!(text(at), b";" | b"}"))
                .take_while(|&at| !matches!(text(at), b";" | b"{" | b"}"))
                .any(|at| text(at) == b"return");
        // `#pragma unroll` stands before the code that it is about.
        let pragma = |at: &usize| {
            let directive = self.parsed.tokens.directive_of(*at);
            directive.is_some_and(|one| one.kind == DirectiveKind::Pragma)
        };
        let next = (branch.tokens.end..self.parsed.tokens.tokens.len()).find(|at| !pragma(at))?;
        let function = |index: usize| {
            let mut around = self.parsed.outline.enclosing(index);
            around.find(|&at| {
                let scope = self.parsed.outline.scopes.get(at);
                scope.is_some_and(|scope| scope.kind == ScopeKind::Function)
            })
        };
        let inside = function(branch.tokens.start);
        if inside.is_none() || inside != function(next) {
            return None;
        }
        let directive = self.parsed.tokens.directive_of(next).is_some();
        let behind = self.parsed.tokens.get(next)?.range();
        let scope = self.parsed.outline.scopes.get(inside?)?;
        let work = WorkDetector::of(self.source, self.parsed, self.context);
        let works = || work.is_in(next..scope.tokens.end.saturating_sub(1));
        (last && !directive && text(next) != b"}" && works()).then_some(behind)
    }
}
