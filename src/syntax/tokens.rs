//! The tokens of a file, and where its words stand among them.

use std::ops::Range;
use std::sync::OnceLock;

use super::token::{Directive, DirectiveKind, Token, TokenKind};
use super::words::IdentifierIndex;
use torchada_text::TextRange;

/// The tokens and directives of one file.
#[derive(Clone, Default, Debug)]
pub struct Tokens {
    /// All tokens in order of place; comments and white space are not tokens.
    pub tokens: Vec<Token>,
    /// All directives in order of place.
    pub directives: Vec<Directive>,
    /// All comments in order of place, without the line end that closes a `//`.
    pub comments: Vec<TextRange>,
    /// The indices of the string literals, collected when somebody first asks for them.
    pub(super) literals: OnceLock<Vec<u32>>,
    /// The index of the identifiers, made when somebody first looks one up.
    pub(super) words: OnceLock<IdentifierIndex<u32>>,
}

impl Tokens {
    /// The token at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    /// The text of the token at `index`; empty where there is none.
    #[inline]
    pub fn word<'t>(&self, index: usize, source: &'t [u8]) -> &'t [u8] {
        self.get(index).map_or(b"", |token| token.text(source))
    }

    /// The text of the token `back` places before `index`; empty where there is none.
    #[inline]
    pub fn word_before<'t>(&self, index: usize, back: usize, source: &'t [u8]) -> &'t [u8] {
        let at = index.checked_sub(back);
        at.map_or(b"", |at| self.word(at, source))
    }

    /// The token `back` places before `index`.
    #[inline]
    pub fn before(&self, index: usize, back: usize) -> Option<Token> {
        index.checked_sub(back).and_then(|at| self.get(at))
    }

    /// Whether the token at `index` is the identifier or punctuation `text`.
    #[inline]
    pub fn is(&self, index: usize, source: &[u8], text: &str) -> bool {
        self.get(index).is_some_and(|token| token.is(source, text))
    }

    /// The directives that define macros.
    pub fn defines(&self) -> impl Iterator<Item = &Directive> {
        let directives = self.directives.iter();
        directives.filter(|one| one.kind == DirectiveKind::Define)
    }

    /// The directive that the token at `index` is part of.
    pub fn directive_of(&self, index: usize) -> Option<&Directive> {
        let behind = self
            .directives
            .partition_point(|directive| directive.tokens.start <= index);
        let directive = self.directives.get(behind.checked_sub(1)?)?;
        directive.tokens.contains(&index).then_some(directive)
    }
}

impl Tokens {
    /// The tokens of the directives alone, with a text that has no more than them. The directives stay where they are.
    pub fn of_directives(&self, source: &[u8]) -> (Self, Vec<u8>) {
        let (mut found, mut text) = (Self::default(), Vec::new());
        for directive in &self.directives {
            let start = found.tokens.len();
            let tokens = self.tokens.get(directive.tokens.clone());
            for token in tokens.unwrap_or_default() {
                let at = text.len();
                text.extend_from_slice(token.text(source));
                let (kind, in_directive) = (token.kind, token.in_directive);
                let token = Token::new(kind, in_directive, at, text.len());
                found.tokens.push(token);
            }
            found.directives.push(Directive {
                tokens: start..found.tokens.len(),
                ..directive.clone()
            });
        }
        text.shrink_to_fit();
        found.tokens.shrink_to_fit();
        found.directives.shrink_to_fit();
        (found, text)
    }

    /// The string literals, raw ones among them, with their indices, in order of place.
    pub fn literals(&self) -> impl Iterator<Item = (usize, Token)> {
        let literals = self.literals.get_or_init(|| {
            let tokens = (0_u32..).zip(&self.tokens);
            let literals = tokens.filter(|(_, token)| token.is_literal());
            literals.map(|(at, _)| at).collect()
        });
        let literals = literals.iter().map(|at| *at as usize);
        literals.filter_map(|at| Some((at, self.get(at)?)))
    }

    fn words(&self, source: &[u8]) -> &IdentifierIndex<u32> {
        self.words.get_or_init(|| {
            let tokens = (0_u32..).zip(&self.tokens);
            let identifiers = tokens.filter(|(_, token)| token.kind == TokenKind::Identifier);
            IdentifierIndex::new(identifiers.map(|(at, _)| at), |at| {
                self.word(at as usize, source)
            })
        })
    }

    /// The indices of all tokens that are the identifier `word`, in order of place. `source` is the
    /// text that the tokens are of.
    pub fn places(&self, source: &[u8], word: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
        self.places_within(source, word, 0..self.tokens.len())
    }

    /// The indices in a range of all tokens that are the identifier `word`, in order of place.
    pub fn places_within(
        &self,
        source: &[u8],
        word: &[u8],
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = usize> {
        let all = self
            .words(source)
            .places(word, |at| self.word(at as usize, source));
        let before = |end: usize| all.partition_point(|at| (*at as usize) < end);
        let inside = all.get(before(range.start)..before(range.end));
        let inside = inside.unwrap_or_default().iter();
        inside.map(|at| *at as usize)
    }

    /// The indices of all tokens that are an operator of two bytes, in order of place.
    pub fn operators(&self, source: &[u8], operator: [u8; 2]) -> impl Iterator<Item = usize> {
        let tokens = self.tokens.iter().enumerate();
        let found = tokens.filter(move |(_, token)| {
            token.kind == TokenKind::Punct
                && token.range().len() == operator.len()
                && token.text(source) == operator
        });
        found.map(|(at, _)| at)
    }

    /// Whether `word` is an identifier of the text.
    pub fn has_word(&self, source: &[u8], word: &[u8]) -> bool {
        self.places(source, word).next().is_some()
    }

    /// The indices of all identifiers of which `what` says something, in order of place, with what it
    /// says. It is called once for each word.
    pub fn identifiers<T: Copy>(
        &self,
        source: &[u8],
        mut what: impl FnMut(&[u8]) -> Option<T>,
    ) -> Vec<(usize, T)> {
        let mut found: Vec<(usize, T)> = Vec::new();
        for places in self.words(source).all() {
            let first = places.first();
            let text = first.map_or(&b""[..], |&first| self.word(first as usize, source));
            if let Some(answer) = what(text) {
                found.extend(places.iter().map(|at| (*at as usize, answer)));
            }
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        found
    }

    /// The indices of all identifiers that `is_one` accepts, in order of place.
    pub fn identifiers_where<F: FnMut(&[u8]) -> bool>(
        &self,
        source: &[u8],
        mut is_one: F,
    ) -> impl Iterator<Item = usize> + use<F> {
        let found = self.identifiers(source, |word| is_one(word).then_some(()));
        found.into_iter().map(|(at, ())| at)
    }
}
