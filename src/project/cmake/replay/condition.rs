//! Whether a condition of `CMake`'s can hold, or fail, in a build for MUSA.

use super::architecture::of_pattern;
use super::cause::{Absence, Cause, Excluded, either};
use super::switches::Switches;
use super::tokens::{Token, tokens};
use super::value::Value;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::cmake::{Cmake, Command};
use torchada_syntax::cmake_references::{read_variable, referenced};

/// Why a condition does not hold in any build for MUSA, and why it does not fail.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct ConditionJudgement {
    /// Why it does not hold.
    pub(super) holds: Absence,
    /// Why it does not fail.
    pub(super) fails: Absence,
}

impl ConditionJudgement {
    fn negated(self) -> Self {
        Self {
            holds: self.fails,
            fails: self.holds,
        }
    }
}

/// What a condition may look at.
pub(super) struct Surroundings<'a> {
    /// The text of the file.
    pub(super) text: &'a [u8],
    /// The value of a variable.
    pub(super) value: &'a dyn Fn(&str) -> Value,
    /// The lowest of CUDA's architectures whose code no build for MUSA has.
    pub(super) newest: u32,
    /// The index of the file and the offset of the condition.
    pub(super) place: (usize, usize),
    /// Options that no build for MUSA turns on.
    pub(super) switches: &'a Switches,
    /// What vendors' names are.
    pub(super) knowledge: &'a Knowledge,
}

/// Judge the condition of an `if` or `elseif`.
pub(super) fn judge(
    command: &Command,
    file: &Cmake,
    surroundings: &Surroundings<'_>,
) -> ConditionJudgement {
    let Some(tokens) = tokens(command, file, surroundings.text) else {
        return ConditionJudgement::default();
    };
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
        surroundings,
    };
    let judged = parser.expression();
    if parser.at == tokens.len() {
        judged
    } else {
        ConditionJudgement::default()
    }
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    depth: usize,
    surroundings: &'p Surroundings<'p>,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self, ahead: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn operator(&self, ahead: usize) -> &'t str {
        self.peek(ahead).map_or("", Token::operator)
    }

    /// `AND` and `OR` bind alike, from left to right.
    fn expression(&mut self) -> ConditionJudgement {
        let mut so_far = self.unary();
        loop {
            let is_and = match self.operator(0) {
                "AND" => true,
                "OR" => false,
                _ => return so_far,
            };
            self.at += 1;
            let next = self.unary();
            so_far = if is_and {
                ConditionJudgement {
                    holds: so_far.holds.or(next.holds),
                    fails: either(so_far.fails, next.fails),
                }
            } else {
                ConditionJudgement {
                    holds: either(so_far.holds, next.holds),
                    fails: so_far.fails.or(next.fails),
                }
            };
        }
    }

    fn unary(&mut self) -> ConditionJudgement {
        self.depth += 1;
        let judged = if self.depth > self.surroundings.knowledge.builds.cmake.limits.depth {
            self.at = self.tokens.len() + 1;
            ConditionJudgement::default()
        } else if self.operator(0) == "NOT" {
            self.at += 1;
            self.unary().negated()
        } else if self.peek(0) == Some(Token::Open) {
            self.at += 1;
            let inside = self.expression();
            if self.peek(0) != Some(Token::Close) {
                self.at = self.tokens.len() + 1;
            }
            self.at += 1;
            inside
        } else {
            self.question()
        };
        self.depth -= 1;
        judged
    }

    fn question(&mut self) -> ConditionJudgement {
        let Some(Token::Word { text, is_quoted }) = self.peek(0) else {
            self.at = self.tokens.len() + 1;
            return ConditionJudgement::default();
        };
        if !is_quoted && is_test(text) {
            self.at += 2;
            return ConditionJudgement::default();
        }
        let operator = self.operator(1);
        if is_comparison(operator)
            && let Some(Token::Word { text: right, .. }) = self.peek(2)
        {
            self.at += 3;
            return self.comparison(text, operator, right);
        }
        self.at += 1;
        self.truth(text, is_quoted)
    }

    /// A variable as a condition.
    fn truth(&self, text: &str, is_quoted: bool) -> ConditionJudgement {
        let name = match referenced(text) {
            Some(name) => name,
            // A quoted text is not looked up.
            None if is_quoted => return ConditionJudgement::default(),
            None => text,
        };
        if let Some(cause) = self.surroundings.switches.cause(name) {
            let holds = Some(Excluded::at(cause.clone(), self.surroundings.place));
            return ConditionJudgement { holds, fails: None };
        }
        let other = self.other_vendor(name);
        let holds = other.or_else(|| (self.surroundings.value)(name).truth());
        ConditionJudgement { holds, fails: None }
    }

    /// Why no build for MUSA has a vendor's word.
    fn other_vendor(&self, word: &str) -> Absence {
        let vendor = self.surroundings.knowledge.vendor_of_macro(word)?;
        let cause = Cause::Vendor(vendor.name.clone());
        (!vendor.is_target()).then(|| Excluded::at(cause, self.surroundings.place))
    }

    fn comparison(&self, left: &str, operator: &str, right: &str) -> ConditionJudgement {
        let words = &self.surroundings.knowledge.shapes.architecture;
        let is_architecture = |word: &str| {
            let name = read_variable(word);
            (self.surroundings.value)(name).is_architecture
        };
        if operator == "IN_LIST" {
            let holds = is_architecture(right)
                .then(|| words.number(left))
                .flatten()
                .and_then(|number| self.newer(number));
            return ConditionJudgement { holds, fails: None };
        }
        if is_architecture(left) {
            return self.of_architecture(operator, right);
        }
        let says = matches!(operator, "STREQUAL" | "MATCHES" | "EQUAL");
        let upper = right.to_ascii_uppercase();
        let holds = says.then(|| self.other_vendor(&upper)).flatten();
        ConditionJudgement { holds, fails: None }
    }

    /// A comparison of an architecture, or of a list of them, with a number or a pattern.
    fn of_architecture(&self, operator: &str, right: &str) -> ConditionJudgement {
        let mut judged = ConditionJudgement::default();
        let words = &self.surroundings.knowledge.shapes.architecture;
        let number = if operator == "MATCHES" {
            of_pattern(words, right)
        } else {
            words.number(right)
        };
        let Some(number) = number else {
            return judged;
        };
        match operator {
            "GREATER" | "VERSION_GREATER" => judged.holds = self.newer(number + 1),
            "LESS_EQUAL" | "VERSION_LESS_EQUAL" => judged.fails = self.newer(number + 1),
            "LESS" | "VERSION_LESS" => judged.fails = self.newer(number),
            "EQUAL"
            | "VERSION_EQUAL"
            | "STREQUAL"
            | "MATCHES"
            | "GREATER_EQUAL"
            | "VERSION_GREATER_EQUAL" => judged.holds = self.newer(number),
            _ => {}
        }
        judged
    }

    /// Why no build for MUSA has an architecture from this number on.
    fn newer(&self, number: u32) -> Absence {
        let is_newer = number >= self.surroundings.newest;
        is_newer.then(|| Excluded::at(Cause::Newer(number), self.surroundings.place))
    }
}

fn is_test(word: &str) -> bool {
    matches!(
        word,
        "DEFINED"
            | "TARGET"
            | "COMMAND"
            | "POLICY"
            | "TEST"
            | "EXISTS"
            | "IS_DIRECTORY"
            | "IS_SYMLINK"
            | "IS_ABSOLUTE"
            | "IS_READABLE"
            | "IS_WRITABLE"
            | "IS_EXECUTABLE"
    )
}

fn is_comparison(word: &str) -> bool {
    matches!(
        word,
        "EQUAL"
            | "LESS"
            | "GREATER"
            | "LESS_EQUAL"
            | "GREATER_EQUAL"
            | "STREQUAL"
            | "STRLESS"
            | "STRGREATER"
            | "STRLESS_EQUAL"
            | "STRGREATER_EQUAL"
            | "VERSION_EQUAL"
            | "VERSION_LESS"
            | "VERSION_GREATER"
            | "VERSION_LESS_EQUAL"
            | "VERSION_GREATER_EQUAL"
            | "MATCHES"
            | "IN_LIST"
            | "IS_NEWER_THAN"
            | "PATH_EQUAL"
    )
}
