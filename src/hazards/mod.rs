//! Hazards: finds the constructs that no renaming can mend, as the rows of `mappings/hazards.toml`
//! describe them.
//!
//! One engine for all rows. It says what stands where; whether that is reported, and what a guard
//! around it decides, is the business of `project` and `rules`.

mod assembly;
mod capability;
mod device_launch;
mod find;
mod grid;
mod matcher;
mod named;
mod numbers;
mod shapes;
mod texts;
mod translated;
mod word_roles;
mod words;

pub use matcher::Hazards;
pub use named::CapabilityNames;

use torchada_ptx::{Fault, Translation};
use torchada_syntax::ptx::AsmStatement;
use torchada_syntax::{DirectiveKind, Outline, Token, TokenKind, Tokens, integer};
use torchada_text::TextRange;

/// A place that a row of the hazards concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The row's place in [`Hazards::rows`].
    pub row: usize,
    /// The range of the construct.
    pub range: TextRange,
    /// The name, or the instructions, as the code has them.
    pub what: String,
    /// What kind of code it is.
    pub place: Place,
}

/// The code in which a hazard lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// C++.
    Code,
    /// Inline assembly that stays: why, where more is known than the row says.
    Kept(Option<Box<Fault>>),
    /// Inline assembly whose translation does what the row speaks of.
    Translated,
}

/// A statement of inline assembly.
#[derive(Clone, Debug)]
pub struct Assembly<'a> {
    /// Its parts.
    pub statement: AsmStatement,
    /// What it becomes, where it is translated.
    pub translation: Option<Translation<'a>>,
}

/// What the engine found in a piece of code.
#[derive(Clone, Default, Debug)]
pub struct CodeHazards<'a> {
    /// The hazards by place.
    pub hits: Vec<Hit>,
    /// The statements of inline assembly, by place.
    pub assembly: Vec<Assembly<'a>>,
}

/// The rows, and the code in which they are looked for.
#[derive(Clone, Copy)]
struct Search<'a> {
    hazards: &'a Hazards<'a>,
    view: &'a CodeView<'a>,
}

/// Code as the engine sees it.
#[derive(Clone, Copy)]
pub struct CodeView<'a> {
    /// The text.
    pub source: &'a [u8],
    /// Its tokens.
    pub tokens: &'a Tokens,
    /// Its brackets.
    pub outline: &'a Outline,
    /// The project's own names for capabilities.
    pub named: &'a CapabilityNames,
}

impl<'a> CodeView<'a> {
    #[inline]
    fn token(&self, index: usize) -> Option<Token> {
        self.tokens.get(index)
    }

    #[inline]
    fn word(&self, index: usize) -> &'a [u8] {
        self.tokens.word(index, self.source)
    }

    #[inline]
    fn before(&self, index: usize, back: usize) -> &'a [u8] {
        self.tokens.word_before(index, back, self.source)
    }

    #[inline]
    fn is(&self, index: usize, kind: TokenKind) -> bool {
        self.token(index).is_some_and(|token| token.kind == kind)
    }

    /// The value of an integer literal at `index`.
    fn number(&self, index: usize) -> Option<u64> {
        self.is(index, TokenKind::Number)
            .then(|| integer(self.word(index)))
            .flatten()
    }

    /// The value of a literal at `index`, or of a name that stands for one.
    fn value(&self, index: usize) -> Option<u64> {
        self.number(index)
            .or_else(|| self.named.number(self.word(index)))
    }

    /// Whether the identifier at `index` is a macro's that is defined as one token.
    fn is_defined_as_one(&self, index: usize) -> bool {
        self.token(index).is_some_and(|token| token.in_directive)
            && self.tokens.directive_of(index).is_some_and(|directive| {
                directive.kind == DirectiveKind::Define
                    && directive.tokens.start == index
                    && directive.tokens.len() == 2
            })
    }

    /// A hit from the token at `from` to the one at `to`, with their text.
    fn hit(&self, row: usize, from: usize, to: usize) -> Option<Hit> {
        let range = TextRange::new(self.token(from)?.range().start, self.token(to)?.range().end);
        Some(Hit {
            row,
            range,
            what: String::from_utf8_lossy(range.of(self.source)).into_owned(),
            place: Place::Code,
        })
    }
}
