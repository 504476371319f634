//! The view that a rule for C, C++ and CUDA has of a unit, besides the file and its text.

use super::PastingPlans;
use crate::declarations::Declarations;
use crate::{Change, Outcome, Rule, Unit};
use torchada_diagnostic::KeptReason;
use torchada_hazards::{Assembly, Hit};
use torchada_project::guards::Guards;
use torchada_project::regions::Region;
use torchada_project::{Parsed, Visible};
use torchada_syntax::{Token, TokenKind};
use torchada_text::TextRange;

/// A unit of C, C++ or CUDA.
pub type CppUnit<'a> = Unit<'a, CppCode<'a>>;

/// A rule for such units.
pub type CppRule = Rule<fn(&CppUnit<'_>, &mut Outcome)>;

/// A unit's code, and what it sees of the project.
#[derive(Clone, Copy)]
pub struct CppCode<'a> {
    /// The unit's own tokens, scopes and regions.
    pub parsed: &'a Parsed,
    /// Hazards, in order of place.
    pub hits: &'a [Hit],
    /// Statements of inline assembly, in order of place.
    pub assembly: &'a [Assembly<'a>],
    /// The unit's guards on the architecture.
    pub guards: &'a Guards,
    /// The files and headers that the file includes, directly or not.
    pub visible: &'a Visible,
    /// The declarations that are visible here.
    pub declared: &'a Declarations<'a>,
    /// The alias header that the file reaches its names through, if it does.
    pub alias_header: Option<&'a str>,
    /// The plans for pasted names of the whole tree.
    pub pasting_plans: &'a PastingPlans,
    /// The rules that look at code in the unit's strings.
    pub rules: &'a [CppRule],
}

impl CppCode<'_> {
    /// The token at `index`.
    #[inline]
    pub fn token(&self, index: usize) -> Option<Token> {
        self.parsed.tokens.get(index)
    }

    /// All identifiers with their token indices.
    pub fn identifiers(&self) -> impl Iterator<Item = (usize, Token)> {
        self.parsed
            .tokens
            .tokens
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, token)| token.kind == TokenKind::Identifier)
    }

    /// Why code at `range` is left for good, if it is: another platform's branch.
    pub fn foreign(&self, range: TextRange) -> Option<KeptReason> {
        match self.parsed.regions.at(range.start) {
            Region::Plain => None,
            Region::OtherVendor if self.guards.is_taken_arm(range.start) => None,
            Region::OtherVendor => Some(KeptReason::VendorBranch),
            Region::Musa | Region::NotMusa => Some(KeptReason::MusaBranch),
        }
    }

    /// Whether a build for MUSA compiles what stands at `range`, and no other platform's branch has it.
    pub fn is_compiled(&self, range: TextRange) -> bool {
        self.foreign(range).is_none() && !self.is_left_out(range.start)
    }

    /// Whether no build for MUSA compiles the byte at `offset`.
    pub fn is_left_out(&self, offset: usize) -> bool {
        self.guards.is_closed(offset) || self.parsed.regions.is_dead(offset)
    }
}

impl CppUnit<'_> {
    /// The text of the token at `index`; empty where there is none.
    #[inline]
    pub fn word(&self, index: usize) -> &[u8] {
        self.parsed.tokens.word(index, self.text)
    }

    /// The text of the token `back` places before `index`; empty where there is none.
    #[inline]
    pub fn word_before(&self, index: usize, back: usize) -> &[u8] {
        let tokens = &self.parsed.tokens;
        tokens.word_before(index, back, self.text)
    }

    /// The strings: the index of each among the tokens, the token, and the place of the text in it.
    pub fn strings(&self) -> impl Iterator<Item = (usize, Token, TextRange)> {
        let literals = self.parsed.tokens.literals();
        let strings = literals.filter(|(_, token)| token.kind == TokenKind::String);
        strings.filter_map(|(index, token)| Some((index, token, token.inside()?)))
    }

    /// The identifiers that `is_one` accepts with their token indices, in order of place. `is_one` is called
    /// once for each word.
    pub fn identifiers_where(
        &self,
        is_one: impl FnMut(&[u8]) -> bool,
    ) -> impl Iterator<Item = (usize, Token)> {
        let tokens = &self.parsed.tokens;
        let found = tokens.identifiers_where(self.text, is_one);
        found.filter_map(|at| Some((at, tokens.get(at)?)))
    }

    /// Rename one token of the unit. Returns whether the edit was taken.
    pub fn rename(&self, out: &mut Outcome, change: Change<'_>) -> bool {
        // `cudnnStatus_t` → `musa::dnn::Status`: one token becomes several.
        let old = change.range.of(self.text);
        let several = change.to.contains("::") || old.windows(2).any(|two| two == b"::");
        self.apply(out, if several { change } else { change.rename() })
    }
}
