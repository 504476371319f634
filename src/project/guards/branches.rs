//! Which branches of a conditional are taken, given the known values of macros.

use crate::syntax::{Conditional, Directive, Macro, Truth, evaluate};
use crate::text::TextRange;

use super::decide::Decider;

/// The branches that are taken where the architecture's macro has one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TakenBranches {
    /// The branches that may be taken, by place.
    pub(super) possible: Vec<usize>,
    /// The one that is, if none before it is.
    pub(super) certain: Option<usize>,
}

impl TakenBranches {
    pub(super) fn contains(&self, branch: usize) -> bool {
        self.possible.binary_search(&branch).is_ok()
    }

    /// The branches that this has and `base` has not, or not for certain.
    pub(super) fn newer_than(&self, base: &Self) -> Vec<usize> {
        let newer = |branch: &usize| {
            let surer = self.certain == Some(*branch)
                && base.certain != Some(*branch)
                && base.possible.len() > self.possible.len();
            !base.contains(*branch) || surer
        };
        self.possible.iter().copied().filter(newer).collect()
    }
}

impl Decider<'_> {
    /// The truth of the condition of one branch where the macro has this value.
    pub(super) fn truth_of_branch(
        &self,
        conditional: &Conditional,
        branch: usize,
        value: i64,
    ) -> Truth {
        let directive = conditional
            .branches
            .get(branch)
            .and_then(|branch| self.parsed.tokens.directives.get(branch.directive));
        directive.map_or(Truth::Unknown, |directive| self.truth(directive, value))
    }

    fn truth(&self, directive: &Directive, value: i64) -> Truth {
        let names = &self.context.knowledge.shapes.guards;
        evaluate(self.source, &self.parsed.tokens, directive, &|name| {
            if name == names.architecture.as_bytes() {
                Macro::Value(value)
            } else if let Some(number) = self.unsupported.number(name) {
                Macro::Value(number)
            } else if let Some(off) = self.unsupported.disabled(name) {
                off
            } else {
                self.context.on_musa(name)
            }
        })
    }

    /// The branches that may be taken where the macro has this value.
    pub(super) fn taken(&self, conditional: &Conditional, value: i64) -> TakenBranches {
        let mut taken = TakenBranches {
            possible: Vec::new(),
            certain: None,
        };
        for (at, branch) in conditional.branches.iter().enumerate() {
            let Some(directive) = self.parsed.tokens.directives.get(branch.directive) else {
                continue;
            };
            match self.truth(directive, value) {
                Truth::True => {
                    taken.possible.push(at);
                    taken.certain = Some(at);
                    break;
                }
                Truth::Unknown => taken.possible.push(at),
                Truth::False => {}
            }
        }
        taken
    }

    /// Shut the branches that ask for a version of CUDA's, which MUSA does not define: they are
    /// left out wherever the number in them is above 0.
    pub(super) fn by_versions(&mut self, conditional: &Conditional) {
        let words = &self.context.knowledge.shapes.guards;
        let form = |name: &[u8]| words.version(name);
        let names_version = |directive: &Directive| {
            let mut tokens = directive.tokens.clone();
            tokens.any(|at| {
                let token = self.parsed.tokens.get(at);
                token.is_some_and(|token| form(token.text(self.source)).is_some())
            })
        };
        let mut disabled: Vec<TextRange> = Vec::new();
        let mut decided = false;
        let mut tests_version = false;
        for branch in &conditional.branches {
            let Some(directive) = self.parsed.tokens.directives.get(branch.directive) else {
                continue;
            };
            tests_version |= names_version(directive);
            let truth = evaluate(self.source, &self.parsed.tokens, directive, &|name| {
                match form(name) {
                    Some(form) => {
                        let value = self.context.cuda_version.and_then(|one| form.value(one));
                        value.map_or(Macro::Undefined, |value| Macro::Value(i64::from(value)))
                    }
                    // `CUDA_VERSION >= {{ minimum }}`
                    None if name.starts_with(b"{") => Macro::Value(1),
                    None => self.context.on_musa(name),
                }
            });
            // `NCCL_VERSION(2, 8, 0)` does not compile: what it decides is not there either.
            let calls = directive.tokens.clone().any(|at| {
                let token = self.parsed.tokens.get(at);
                token.is_some_and(|token| form(token.text(self.source)).is_some())
                    && self.parsed.tokens.is(at + 1, self.source, "(")
            });
            let missing = calls && self.context.cuda_version.is_none();
            if tests_version && (decided || missing || truth == Truth::False) {
                disabled.push(branch.body);
            }
            decided |= tests_version && truth == Truth::True;
        }
        let foreign = disabled
            .first()
            .is_some_and(|one| self.is_foreign(one.start));
        if !foreign {
            self.guards.left_out.extend(disabled);
        }
    }
}
