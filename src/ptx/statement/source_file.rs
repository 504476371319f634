//! A file with inline PTX in it, and what translations of its statements ask of the whole file: it is made when the first
//! of them asks.

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::FxHashMap;
use torchada_mapping::ptx::Limits;
use torchada_syntax::{Directive, DirectiveKind, Outline, TokenKind, Tokens};

/// A file of C++ by its tokens.
#[derive(Debug)]
pub struct SourceFile<'a> {
    pub(crate) limits: Limits,
    pub(crate) source: &'a [u8],
    pub(crate) tokens: &'a Tokens,
    outline: &'a Outline,
    /// The directives that define a macro.
    macros: OnceCell<FxHashMap<Vec<u8>, Vec<usize>>>,
    has_arrivals: OnceCell<bool>,
}

impl<'a> SourceFile<'a> {
    /// A file, and how far its code is followed.
    pub(crate) fn new(
        limits: Limits,
        source: &'a [u8],
        tokens: &'a Tokens,
        outline: &'a Outline,
    ) -> Self {
        Self {
            limits,
            source,
            tokens,
            outline,
            macros: OnceCell::new(),
            has_arrivals: OnceCell::new(),
        }
    }

    /// The text of a token; nothing beyond the last.
    pub(crate) fn word(&self, at: usize) -> &'a [u8] {
        let token = self.tokens.get(at);
        token.map_or(&b""[..], |token| token.text(self.source))
    }

    pub(crate) fn is_identifier(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.kind == TokenKind::Identifier)
    }

    /// Where a name stands among the tokens of a range.
    pub(crate) fn places(
        &self,
        name: &[u8],
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = usize> {
        self.tokens.places_within(self.source, name, range)
    }

    /// The definitions of a macro.
    pub(crate) fn definitions(&self, name: &[u8]) -> impl Iterator<Item = &'a Directive> {
        let all = self.macros.get_or_init(|| {
            let mut all: FxHashMap<Vec<u8>, Vec<usize>> = FxHashMap::default();
            for (at, one) in self.tokens.directives.iter().enumerate() {
                if one.kind == DirectiveKind::Define && !one.tokens.is_empty() {
                    let name = self.word(one.tokens.start).to_vec();
                    all.entry(name).or_default().push(at);
                }
            }
            all
        });
        let directives = &self.tokens.directives;
        let places = all.get(name).map_or(&[][..], Vec::as_slice).iter();
        places.filter_map(|at| directives.get(*at))
    }

    /// Whether what is declared at one token is declared at a later one, too: no scope around it is closed in between.
    pub(crate) fn is_visible(&self, declared: usize, at: usize) -> bool {
        let scope = self.outline.scope_of(declared);
        scope.is_none_or(|scope| self.outline.enclosing(at).any(|around| around == scope))
    }

    /// Whether a statement of this file comes to a barrier without waiting there.
    pub(crate) fn has_arrivals(&self) -> bool {
        *self.has_arrivals.get_or_init(|| {
            let mut strings = self.tokens.literals();
            strings.any(|(_, token)| has_arrive(token.text(self.source)))
        })
    }
}

/// Whether text has `bar.arrive` or another form of it; `mbarrier` is something else.
fn has_arrive(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"bar").any(|at| {
        let rest = text.get(at + 3..).unwrap_or_default();
        let rest = rest.strip_prefix(b"rier").unwrap_or(rest);
        let rest = rest.strip_prefix(b".cta").unwrap_or(rest);
        let is_own = at == 0 || !text.get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
        is_own && rest.starts_with(b".arrive")
    })
}
