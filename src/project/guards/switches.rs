//! Switches: macros and constants by which a file says what a GPU has.

use std::ops::Range;

use crate::platforms::regions::Region;
use crate::{Context, Parsed};
use torchada_mapping::has;
use torchada_syntax::{
    Conditional, Directive, DirectiveKind, Macro, TokenKind, Truth, evaluate, integer,
};
use torchada_text::TextRange;

use super::Switch;
use super::decider::Decider;

/// Whether a file asks for MUSA's compiler, or for one of its passes.
pub fn asks_for_target(source: &[u8], parsed: &Parsed, context: Context<'_>) -> bool {
    let target = context.knowledge.target().into_iter();
    let mut passes = target.flat_map(|one| &one.device_pass);
    passes.any(|name| parsed.tokens.has_word(source, name.as_bytes()))
}

impl Decider<'_> {
    fn is(&self, index: usize, text: &str) -> bool {
        self.parsed.tokens.is(index, self.source, text)
    }

    /// The switches that the branches turn on, if they do nothing else.
    pub(super) fn switches(&self, conditional: &Conditional, branches: &[usize]) -> Vec<Switch> {
        let mut found = Vec::new();
        let bodies = branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at));
        for branch in bodies {
            let mut constant = 0..0;
            for index in branch.tokens.clone() {
                let directive = self.parsed.tokens.directive_of(index);
                let is_name = match directive {
                    Some(one) if one.kind == DirectiveKind::Define => one.tokens.start == index,
                    Some(_) => return Vec::new(),
                    None if constant.contains(&index) => self.is_constant_switch(index),
                    None => match self.constant_from(index) {
                        Some(statement) => {
                            constant = statement;
                            self.is_constant_switch(index)
                        }
                        None => return Vec::new(),
                    },
                };
                if let Some(name) = self.parsed.tokens.get(index).filter(|_| is_name) {
                    let name = name.text(self.source).to_vec();
                    let others = conditional.branches.iter().filter(|one| *one != branch);
                    let is_zero = directive.is_none()
                        || others
                            .flat_map(|one| one.tokens.clone())
                            .any(|at| self.defines(at, &name));
                    found.push(Switch {
                        name,
                        off: false,
                        is_zero,
                    });
                }
            }
        }
        found
    }

    /// The value that the file gives the architecture's macro on MUSA: `#define __CUDA_ARCH__ 1300`.
    pub(super) fn own_architecture(&self) -> Option<i64> {
        let name = self.context.knowledge.shapes.guards.architecture.as_bytes();
        let mut places = self.parsed.tokens.places(self.source, name);
        let index = places.find(|&at| {
            let place = self.parsed.tokens.get(at).map(|token| token.range().start);
            self.defines(at, name)
                && place.is_some_and(|place| self.parsed.regions.at(place) == Region::Musa)
        })?;
        integer(self.parsed.tokens.get(index + 1)?.text(self.source))?
            .try_into()
            .ok()
    }

    /// Whether a macro of this name is defined at `index`.
    fn defines(&self, index: usize, name: &[u8]) -> bool {
        let define = self.parsed.tokens.directive_of(index);
        let token = self.parsed.tokens.get(index);
        define.is_some_and(|one| one.kind == DirectiveKind::Define && one.tokens.start == index)
            && token.is_some_and(|token| token.text(self.source) == name)
    }

    /// The tokens of the constant whose declaration starts at `index`: `static constexpr bool fast = true;`
    fn constant_from(&self, index: usize) -> Option<Range<usize>> {
        let qualifiers = ["static", "inline", "constexpr", "const"];
        if !qualifiers.iter().any(|one| self.is(index, one)) {
            return None;
        }
        let end = (index..index + 10).find(|&at| self.is(at, ";"))?;
        (index..end)
            .any(|at| self.is_constant_switch(at))
            .then_some(index..end + 1)
    }

    /// Whether the name at `index` is declared as a constant that is true.
    pub(super) fn is_constant_switch(&self, index: usize) -> bool {
        let declared = || {
            let front = (index.saturating_sub(4)..index).rev();
            front
                .take_while(|&at| ![";", "{", "}"].iter().any(|end| self.is(at, end)))
                .any(|at| self.is(at, "constexpr") || self.is(at, "const"))
        };
        self.is(index + 1, "=")
            && self.is(index + 2, "true")
            && self.is(index + 3, ";")
            && declared()
    }

    /// Turn off the switches that the branches at `branches` turn on: MUSA never takes those.
    pub(super) fn turn_off(&mut self, conditional: &Conditional, branches: &[usize]) {
        for &branch in branches {
            let switches = self.switches(conditional, &[branch]);
            let off = switches.into_iter().map(|one| Switch { off: true, ..one });
            self.guards.switches.extend(off);
        }
    }

    /// Turn off what a project that knows MUSA defines for other platforms only.
    pub(super) fn not_for_musa(&mut self, conditional: &Conditional) {
        let bodies = conditional.branches.iter().enumerate();
        let others: Vec<usize> = bodies
            .filter(|(_, branch)| self.parsed.regions.at(branch.body.start) == Region::NotMusa)
            .map(|(at, _)| at)
            .collect();
        self.turn_off(conditional, &others);
    }

    /// Leave out the branches that are not taken where the project itself gives the architecture's macro a value.
    pub(super) fn by_value(&mut self, conditional: &Conditional, value: i64) {
        let taken = self.taken(conditional, value);
        let others: Vec<usize> = (0..conditional.branches.len())
            .filter(|&branch| !taken.contains(branch))
            .collect();
        self.turn_off(conditional, &others);
        let bodies = others.iter().filter_map(|&at| conditional.branches.get(at));
        let plain = bodies.filter(|branch| !self.is_foreign(branch.body.start));
        let plain: Vec<TextRange> = plain.map(|branch| branch.body).collect();
        self.guards.left_out.extend(plain);
    }

    /// Shut the branches that a port shut: beside the question whether device code is compiled it wrote a constant in place
    /// of a comparison with CUDA's number, `defined(__MUSA_ARCH__) && 1`.
    pub(super) fn by_written_constants(&mut self, conditional: &Conditional) {
        let Some(target) = self.context.knowledge.target() else {
            return;
        };
        let is_pass = |name: &[u8]| has(&target.device_pass, name);
        let is_written = |directive: &Directive| {
            let tokens = directive.tokens.clone();
            let mut tokens = tokens.filter_map(|at| self.parsed.tokens.get(at));
            let first = tokens.clone().any(|one| is_pass(one.text(self.source)));
            first && tokens.any(|one| matches!(one.text(self.source), b"0" | b"1"))
        };
        let all = &self.parsed.tokens.directives;
        let directives = conditional.branches.iter();
        let mut directives = directives.filter_map(|one| all.get(one.directive));
        if !directives.any(is_written) {
            return;
        }
        let mut off = conditional.never_taken(&self.parsed.tokens, |_, directive| {
            // A number of MUSA's is not 1, and what asks for one is open.
            let is_asked = self.only_asks_for(directive, &is_pass);
            let value = |name: &[u8]| match is_pass(name) {
                true if is_asked => Macro::Value(1),
                true => Macro::Unknown,
                false => self.context.on_musa(name),
            };
            evaluate(self.source, &self.parsed.tokens, directive, &value)
        });
        off.retain(|&at| {
            let branch = conditional.branches.get(at);
            branch.is_some_and(|branch| !self.is_foreign(branch.body.start))
        });
        self.guards.disabled.extend(conditional.bodies(&off));
        self.turn_off(conditional, &off);
    }

    /// Whether a condition asks for macros of some kind by `defined` alone.
    fn only_asks_for(&self, directive: &Directive, is_one: &dyn Fn(&[u8]) -> bool) -> bool {
        let mut tokens = directive.tokens.clone();
        tokens.all(|at| {
            let name = self.parsed.tokens.get(at).map(|one| one.text(self.source));
            let before =
                |back: usize, text| at.checked_sub(back).is_some_and(|at| self.is(at, text));
            !name.is_some_and(is_one)
                || before(1, "defined")
                || before(1, "(") && before(2, "defined")
        })
    }

    /// Shut the branches of a conditional that asks for switches which no MUSA GPU has.
    pub(super) fn by_switches(&mut self, conditional: &Conditional) {
        let mut is_about_switches = Vec::new();
        let mut shut = conditional.never_taken(&self.parsed.tokens, |_, directive| {
            let truth = self.truth_by_switches(directive);
            is_about_switches.push(truth.is_some());
            truth.unwrap_or(Truth::Unknown)
        });
        shut.retain(|&at| is_about_switches.get(at) == Some(&true));
        self.guards.disabled.extend(conditional.bodies(&shut));
    }

    /// Shut the blocks of `if constexpr (…)` in the same way.
    pub(super) fn ifs_by_switches(&mut self) {
        let places: Vec<usize> = self.parsed.tokens.places(self.source, b"if").collect();
        for index in places {
            let open = index + 1 + usize::from(self.is(index + 1, "constexpr"));
            let in_code = self.parsed.tokens.directive_of(index).is_none();
            let Some((condition, then, otherwise)) = self.if_at(open).filter(|_| in_code) else {
                continue;
            };
            let shut = match self.truth_by_switches(&Directive::condition(condition)) {
                Some(Truth::False) => Some(then),
                Some(Truth::True) => otherwise,
                _ => None,
            };
            self.guards.disabled.extend(shut);
        }
    }

    /// The truth of a condition by the switches that it names, if it names any; by `#else` there is no other.
    fn truth_by_switches(&self, directive: &Directive) -> Option<Truth> {
        let names_one = directive.tokens.clone().any(|index| {
            let token = self.parsed.tokens.get(index);
            token.is_some_and(|token| {
                token.kind == TokenKind::Identifier
                    && self.unsupported.disabled(token.text(self.source)).is_some()
            })
        });
        if directive.kind == DirectiveKind::Else {
            return Some(Truth::True);
        }
        names_one.then(|| {
            evaluate(self.source, &self.parsed.tokens, directive, &|name| {
                self.unsupported.disabled(name).unwrap_or(Macro::Unknown)
            })
        })
    }
}
