//! Versions of CUDA's in conditions. A condition is analysed once, however many versions it mentions.

use rustc_hash::FxHashMap;

use super::STOPS;
use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::cpp::{CONDITION, VALUE};
use torchada_syntax::{Conditional, Directive, Macro, Token, Truth, evaluate};
use torchada_text::TextRange;

/// The conditions of a unit that ask for versions.
pub(super) struct Conditions<'u, 'a> {
    unit: &'u CppUnit<'a>,
    /// The terms of each condition, by the first token of its directive.
    terms: FxHashMap<usize, ConditionTerms>,
    /// The branches of each conditional, by the directive that opens it.
    branches: FxHashMap<usize, Branches>,
}

/// The macros that one condition mentions.
struct ConditionTerms {
    /// Whether the condition tests for MUSA, too.
    knows_target: bool,
    /// Whether the condition calls a version, as in `NCCL_VERSION(2, 8, 0)`.
    calls: bool,
    /// Whether a finding speaks of the condition already.
    is_reported: bool,
}

/// The branches of a conditional that are compiled where versions are what they count as, as far as known.
struct Branches {
    truths: Vec<Truth>,
    /// For each branch, the first behind it that is not left out.
    next: Vec<Option<usize>>,
}

impl<'u, 'a> Conditions<'u, 'a> {
    pub(super) fn new(unit: &'u CppUnit<'a>) -> Self {
        Self {
            unit,
            terms: FxHashMap::default(),
            branches: FxHashMap::default(),
        }
    }

    /// Report the version at token `index`, in the condition of a directive.
    pub(super) fn report(
        &mut self,
        out: &mut Outcome,
        index: usize,
        token: Token,
        directive: &Directive,
    ) {
        let unit = self.unit;
        let terms = self.terms.entry(directive.tokens.start);
        let terms = terms.or_insert_with(|| ConditionTerms::new(unit, directive));
        let is_answered = terms.knows_target.then_some(KeptReason::MusaBranch);
        if keep_if(unit, out, token.range(), is_answered) {
            return;
        }
        let name = token.text(unit.text);
        let shown = String::from_utf8_lossy(name).into_owned();
        // The condition is one question, and one that does not compile decides nothing: the macro with arguments says so.
        let is_called = unit.word(index + 1) == b"(";
        if terms.is_reported || terms.calls && !is_called {
            unit.keep(out, token.range(), KeptReason::NamedBeside);
            return;
        }
        terms.is_reported = true;
        // `#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 8, 0)`: a macro with arguments has to be there.
        if is_called {
            let message = format!(
                "`{shown}(…)` is not defined on MUSA, and a condition with it does not compile"
            );
            let help = "put the condition behind `#ifdef`, or write what it decides on MUSA";
            unit.report(out, VALUE, token.range(), message, help);
            return;
        }
        let (code, message) = if self.ends_at_error(directive) {
            (
                STOPS,
                format!(
                    "`{shown}` is not defined on MUSA and counts as 0: the branch that is taken ends at #error"
                ),
            )
        } else {
            let taken = self.taken(directive);
            (
                CONDITION,
                format!("`{shown}` is not defined on MUSA and counts as 0: {taken}"),
            )
        };
        let words = &unit.context.knowledge.shapes.guards;
        let help = if words.follows_release(name) {
            "where that is the wrong branch, decide by what the code needs, or name a release with `--cuda-version`"
        } else {
            "where that is the wrong branch, decide by what the code needs of the library"
        };
        let finding = unit.finding(code, token.range(), message).help(help);
        out.report(finding);
    }

    /// Whether a place stands in a branch that no version opens on MUSA.
    pub(super) fn is_left_out(&mut self, offset: usize) -> bool {
        let unit = self.unit;
        let mut around = unit.parsed.conditionals.around(offset);
        around.any(|(one, own)| self.branches_of(one).truth(own) == Truth::False)
    }

    /// Report the version at token `index`, which is written as `number` in the condition of a directive, where the
    /// branch that is taken then is one that does not compile.
    pub(super) fn report_error(
        &mut self,
        out: &mut Outcome,
        (index, token): (usize, Token),
        directive: &Directive,
        number: u32,
    ) {
        let unit = self.unit;
        let words = &unit.context.knowledge.shapes.guards;
        let is_version = |at: usize| words.version(unit.word(at)).is_some();
        let is_first = directive.tokens.clone().find(|&at| is_version(at)) == Some(index);
        if !is_first || unit.is_left_out(token.range().start) || !self.ends_at_error(directive) {
            return;
        }
        let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
        let message =
            format!("`{shown}` counts as {number}, and the branch that is taken ends at #error");
        let help = "name a release with `--cuda-version` that the code accepts";
        unit.report(out, STOPS, token.range(), message, help);
    }

    fn branches_of(&mut self, conditional: &Conditional) -> &Branches {
        let opener = conditional.branches.first().map_or(0, |one| one.directive);
        let branches = self.branches.entry(opener);
        branches.or_insert_with(|| Branches::new(self.unit, conditional))
    }

    /// Whether the branch that is taken instead of a directive's, or as its, stops the compiler.
    fn ends_at_error(&mut self, directive: &Directive) -> bool {
        let unit = self.unit;
        let Some((conditional, own)) = unit.parsed.conditionals.of(directive) else {
            return false;
        };
        let branches = self.branches_of(conditional);
        let taken = match branches.truth(own) {
            Truth::True => Some(own),
            // The condition right before it is the one to blame.
            Truth::False => Some(own + 1),
            Truth::Unknown => None,
        };
        let is_certain = |branch: &usize| {
            let mut earlier = branches.truths.iter().take(*branch);
            branches.truth(*branch) == Truth::True && earlier.all(|one| *one == Truth::False)
        };
        let taken = taken.filter(is_certain);
        let branch = taken.and_then(|at| conditional.branches.get(at));
        branch.is_some_and(|branch| {
            let conditionals = &unit.parsed.conditionals;
            conditionals.ends_at_error(unit.text, &unit.parsed.tokens, branch)
        })
    }

    /// The branch of the conditional that is taken, in words.
    fn taken(&mut self, directive: &Directive) -> String {
        let unit = self.unit;
        let Some((conditional, own)) = unit.parsed.conditionals.of(directive) else {
            return "the condition decides nothing that can be seen".to_owned();
        };
        let branches = self.branches_of(conditional);
        let line = |branch: usize| {
            let directive = directive_of(unit, conditional, branch);
            let place = directive.map_or(TextRange::new(0, 0), |one| unit.in_file(one.range));
            unit.lines.position(unit.file_text, place.start).line
        };
        match branches.truth(own) {
            Truth::True => "its branch is taken, unless one before it is".to_owned(),
            Truth::Unknown => {
                "what is taken depends on the other macros of the condition".to_owned()
            }
            Truth::False => match branches.next.get(own).copied().flatten() {
                Some(next) if branches.truth(next) == Truth::True => format!(
                    "its branch is left out, and the one in line {} is taken",
                    line(next)
                ),
                Some(next) => {
                    format!("its branch is left out, and line {} decides", line(next))
                }
                None => "its branch is left out, and there is no other".to_owned(),
            },
        }
    }
}

impl ConditionTerms {
    fn new(unit: &CppUnit<'_>, directive: &Directive) -> Self {
        let words = &unit.context.knowledge.shapes.guards;
        let mut terms = Self {
            knows_target: false,
            calls: false,
            is_reported: false,
        };
        for at in directive.tokens.clone() {
            let word = unit.word(at);
            terms.knows_target |= unit.context.knowledge.is_target_macro(word);
            terms.calls |= unit.word(at + 1) == b"(" && words.version(word).is_some();
        }
        terms
    }
}

impl Branches {
    fn new(unit: &CppUnit<'_>, conditional: &Conditional) -> Self {
        let words = &unit.context.knowledge.shapes.guards;
        let known = |name: &[u8]| match words.version(name) {
            Some(form) => {
                let number = unit.context.cuda_version.and_then(|one| form.value(one));
                number.map_or(Macro::Undefined, |number| Macro::Value(number.into()))
            }
            None => unit.context.on_musa(name),
        };
        let all = 0..conditional.branches.len();
        let truths: Vec<Truth> = all
            .map(|branch| {
                directive_of(unit, conditional, branch).map_or(Truth::Unknown, |directive| {
                    evaluate(unit.text, &unit.parsed.tokens, directive, &known)
                })
            })
            .collect();
        let mut behind = None;
        let next = truths.iter().enumerate().rev().map(|(branch, truth)| {
            let next = behind;
            if *truth != Truth::False {
                behind = Some(branch);
            }
            next
        });
        let mut next: Vec<Option<usize>> = next.collect();
        next.reverse();
        Self { truths, next }
    }

    fn truth(&self, branch: usize) -> Truth {
        self.truths.get(branch).copied().unwrap_or(Truth::Unknown)
    }
}

/// The directive that opens a branch.
fn directive_of<'u>(
    unit: &'u CppUnit<'_>,
    conditional: &Conditional,
    branch: usize,
) -> Option<&'u Directive> {
    let branch = conditional.branches.get(branch)?;
    unit.parsed.tokens.directives.get(branch.directive)
}
