//! A parsed file of C++: its tokens, scopes, conditionals and regions.

use crate::platforms::regions::Regions;
use torchada_mapping::ends_with_one;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::{Conditionals, LexOptions, Outline, Tokens, lex};

/// A file taken apart: what the scan and the rules start from.
pub struct Parsed {
    /// Its tokens and directives.
    pub tokens: Tokens,
    /// Its brackets and scopes.
    pub outline: Outline,
    /// Its conditionals.
    pub conditionals: Conditionals,
    /// The platforms that its stretches are for.
    pub regions: Regions,
    /// Whether the host's compiler gets it, which defines no macro of MUSA's compiler.
    pub is_for_host: bool,
}

impl Parsed {
    /// Take a file apart.
    pub fn new(source: &[u8], template: bool, knowledge: &Knowledge) -> Self {
        Self::of(lex(source, LexOptions { template }), source, knowledge)
    }

    /// Take a file apart whose tokens are known.
    pub fn of(tokens: Tokens, source: &[u8], knowledge: &Knowledge) -> Self {
        let outline = Outline::new(source, &tokens);
        let conditionals = Conditionals::new(source, &tokens);
        let regions = Regions::new(source, &tokens, &conditionals, knowledge);
        Self {
            tokens,
            outline,
            conditionals,
            regions,
            is_for_host: false,
        }
    }

    /// This file at a path, which tells what compiles it.
    #[must_use]
    pub fn at(mut self, path: &str, source: &[u8], knowledge: &Knowledge) -> Self {
        let shapes = &knowledge.shapes;
        let mut marks = shapes.device_marks.iter();
        self.is_for_host = ends_with_one(path, &shapes.host_endings)
            && !marks.any(|mark| self.tokens.has_word(source, mark.as_bytes()));
        self
    }

    /// The bracket that opens the parameters of the function whose body opens at the brace `body`, as the
    /// index of its token.
    pub fn parameters(&self, source: &[u8], body: usize) -> Option<usize> {
        // `) const noexcept {`
        let close = (body.saturating_sub(4)..body)
            .rev()
            .find(|&at| self.tokens.is(at, source, ")"))?;
        self.outline.partner(close)
    }
}
