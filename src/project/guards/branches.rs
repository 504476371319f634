//! Which branches of a conditional are taken, given the known values of macros.

use torchada_syntax::{Conditional, Directive, Macro, Truth, evaluate};
use torchada_text::TextRange;

use super::decider::{Decider, class};

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

    /// The branches that some of CUDA's GPUs take and MUSA's do not: newer ones, or those that have exactly one of the
    /// numbers.
    pub(super) fn disabled(
        &self,
        conditional: &Conditional,
        numbers: &[i64],
        taken: &TakenBranches,
        base: &TakenBranches,
    ) -> Vec<usize> {
        let values = numbers.iter();
        let mut values: Vec<i64> = values
            .flat_map(|&number| [1, number - 1, number, class(number)])
            .collect();
        values.sort_unstable();
        values.dedup();
        let mut elsewhere: Vec<usize> = values
            .into_iter()
            .flat_map(|value| self.taken(conditional, value).possible)
            .filter(|&at| !taken.contains(at) && !base.contains(at))
            .collect();
        elsewhere.sort_unstable();
        elsewhere.dedup();
        elsewhere
    }

    /// The directive of a branch.
    pub(super) fn directive_of(
        &self,
        conditional: &Conditional,
        branch: usize,
    ) -> Option<&Directive> {
        let branch = conditional.branches.get(branch)?;
        self.parsed.tokens.directives.get(branch.directive)
    }

    /// Note the comparisons that another guard decided.
    pub(super) fn note_bound(&mut self, place: usize, inside: &[usize]) {
        let Some(cap) = self.caps.get(place).copied().flatten() else {
            return;
        };
        for &at in inside {
            if let Some(one) = self.comparisons.get(at)
                && one.number.is_some_and(|number| number >= cap.number)
            {
                self.guards.bound.push((one.range, cap.by));
            }
        }
    }

    /// Note the conditions of a conditional that versions of CUDA's don't change.
    pub(super) fn note_decided(&mut self, conditional: &Conditional, chosen: i64) {
        for branch in 0..conditional.branches.len() {
            let truth = self.truth_of_branch(conditional, branch, chosen);
            let always =
                truth != Truth::Unknown && truth == self.truth_of_branch(conditional, branch, 1);
            let directive = self.directive_of(conditional, branch);
            if let Some(range) = directive.filter(|_| always).map(|one| one.range) {
                self.guards.decided.push(range);
            }
        }
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
            // Most conditionals ask for none.
            if !tests_version {
                continue;
            }
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
            if decided || missing || truth == Truth::False {
                disabled.push(branch.body);
            }
            decided |= truth == Truth::True;
        }
        let foreign = disabled
            .first()
            .is_some_and(|one| self.is_foreign(one.start));
        if !foreign {
            self.guards.left_out.extend(disabled);
        }
    }
}
