//! Branches for other vendors that hold portable code: MUSA takes one where CUDA's own branch holds what MUSA lacks.

use crate::platforms::regions::Region;
use torchada_diagnostic::Severity;
use torchada_syntax::ptx::is_asm_keyword;
use torchada_syntax::{Branch, Conditional, DirectiveKind, Macro, TokenKind, evaluate};

use super::decider::{Decider, blocks};
use super::decision::{Closed, VendorArm};
use super::fallback::WorkDetector;

impl Decider<'_> {
    /// Take the branch for another vendor where that is the way; `live` are the branches that MUSA takes now, and
    /// `closed` says what was closed. Returns whether it is.
    pub(super) fn by_vendor(
        &mut self,
        conditional: &Conditional,
        live: &[usize],
        closed: &[Closed],
    ) -> bool {
        let region = |branch: &Branch| self.parsed.regions.at(branch.body.start);
        let is_vendor = |at: &usize| {
            let branch = conditional.branches.get(*at);
            branch.is_some_and(|branch| region(branch) == Region::OtherVendor)
        };
        let vendors: Vec<usize> = (0..conditional.branches.len()).filter(is_vendor).collect();
        let opener = conditional.branches.first().map(|branch| branch.directive);
        let opener = opener.and_then(|at| self.parsed.tokens.directives.get(at));
        // No condition lets MUSA's compiler into a source that it never gets.
        if vendors.is_empty()
            || self.parsed.is_for_host
            || opener.is_none_or(|one| self.is_foreign(one.range.start))
            || self.knows_target(conditional)
        {
            return false;
        }
        let cuda: Vec<usize> = live.iter().copied().filter(|at| !is_vendor(at)).collect();
        let works = |&at: &usize| self.has_working_implementation(conditional, at);
        let mut holds = self.lacks(conditional, &cuda);
        let slower = holds.is_empty();
        if slower {
            holds = self.slower(&conditional.bodies(&cuda));
        }
        for one in closed.iter().filter(|one| is_lost(one)) {
            holds.extend(one.holds.iter().cloned());
        }
        if holds.is_empty() || !slower && cuda.iter().any(works) {
            return false;
        }
        let arm = vendors
            .into_iter()
            .find(|&at| self.is_portable(conditional, at));
        let Some((at, arm)) = arm.and_then(|at| Some((at, conditional.branches.get(at)?))) else {
            return false;
        };
        let passed = cuda.iter().filter(|&&one| one < at);
        let passed = passed.filter_map(|&one| conditional.branches.get(one));
        self.guards.arms.push(VendorArm {
            holds,
            passed: passed.map(|branch| branch.directive).collect(),
            directive: arm.directive,
            body: arm.body,
        });
        let passed = conditional.bodies(&cuda);
        self.guards.left_out.extend(passed);
        true
    }

    /// What the branches hold that MUSA lacks and that has no other way inside of them.
    fn lacks(&self, conditional: &Conditional, branches: &[usize]) -> Vec<String> {
        let (direct, behind) = self.blocking(conditional, branches);
        let weighs = |row: usize| {
            let row = self.context.hazards.rows().get(row);
            row.is_none_or(|row| row.severity != "note")
        };
        let direct = direct.iter().filter(|hit| weighs(hit.row));
        let direct = direct.map(|hit| hit.what.clone());
        let bodies = conditional.bodies(branches);
        let inside = |closed: &&Closed| {
            is_lost(closed) && bodies.iter().any(|body| body.contains(closed.at.start))
        };
        let closed = self.guards.closed.iter().filter(inside);
        let closed = closed.flat_map(|one| one.holds.iter().cloned());
        let mut found: Vec<String> = Vec::new();
        for what in direct.chain(behind).chain(closed) {
            if !found.contains(&what) {
                found.push(what);
            }
        }
        found
    }

    /// Whether a branch for another vendor is code that MUSA has all of.
    fn is_portable(&self, conditional: &Conditional, branch: usize) -> bool {
        let Some(one) = conditional.branches.get(branch) else {
            return false;
        };
        let vendors = || {
            let all = self.context.knowledge.vendors.iter();
            all.filter(|vendor| !vendor.is_target())
        };
        let is_theirs = |name: &[u8]| {
            let name = String::from_utf8_lossy(name);
            vendors().any(|vendor| {
                vendor.owns_name(&name)
                    || vendor.owns_macro(&name)
                    || vendor
                        .builtins
                        .iter()
                        .any(|front| name.starts_with(front.as_str()))
            })
        };
        let architecture = self.context.knowledge.shapes.guards.architecture.as_bytes();
        let keeps_out = |at: usize| {
            let Some(token) = self.parsed.tokens.get(at) else {
                return false;
            };
            let name = token.text(self.source);
            let include = self
                .parsed
                .tokens
                .directive_of(at)
                .is_some_and(|directive| directive.kind == DirectiveKind::Include);
            include
                || token.kind == TokenKind::Identifier
                    && (is_asm_keyword(name)
                        || name == architecture
                        || is_theirs(name)
                        || self.construct_behind(at).is_some())
        };
        let mut hits = self.hits.iter();
        let lacks = hits.any(|hit| blocks(self.context, hit) && one.body.contains(hit.range.start));
        !lacks
            && !one.tokens.clone().any(keeps_out)
            && self.unknown_names(conditional, &[branch]).is_empty()
            && WorkDetector::of(self.source, self.parsed, self.context).is_in(one.tokens.clone())
    }

    /// Leave out the branches that the compiler of MUSA leaves out, in a condition that also names another vendor: a
    /// port wrote it.
    pub(super) fn by_compiler(&mut self, conditional: &Conditional) {
        let knowledge = self.context.knowledge;
        let Some(compiler) = knowledge.target_compiler() else {
            return;
        };
        let tokens = &self.parsed.tokens;
        let names = |is_one: &dyn Fn(&str) -> bool| {
            let directives = conditional.branches.iter();
            let mut directives = directives.filter_map(|one| tokens.directives.get(one.directive));
            directives.any(|directive| {
                let mut inside = tokens
                    .tokens
                    .get(directive.tokens.clone())
                    .into_iter()
                    .flatten();
                inside.any(|token| is_one(&String::from_utf8_lossy(token.text(self.source))))
            })
        };
        let is_other = |name: &str| {
            knowledge
                .vendor_of_macro(name)
                .is_some_and(|vendor| !vendor.is_target())
        };
        if !names(&|name| name == compiler) || !names(&is_other) {
            return;
        }
        let others = conditional.never_taken(tokens, |_, directive| {
            evaluate(self.source, tokens, directive, &|name| {
                if name == compiler.as_bytes() {
                    Macro::Value(1)
                } else {
                    self.context.on_musa(name)
                }
            })
        });
        self.guards.left_out.extend(conditional.bodies(&others));
    }
}

/// Whether the work of closed branches is done nowhere else.
pub(super) fn is_lost(closed: &Closed) -> bool {
    closed.fallback.is_none() && closed.severity == Severity::Error && closed.switches.is_empty()
}
