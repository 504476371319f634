//! The scopes of a file, from its tokens alone.
//!
//! Enough of a structure to tell a declaration from a use, without needing the file to parse:
//! real headers are full of macros that no grammar knows.

mod header;

use std::ops::Range;

use super::token::{Directive, DirectiveKind, TokenKind};
use super::tokens::Tokens;

/// The kind of construct that opened a pair of braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// `namespace a::b {` or `namespace {`
    Namespace,
    /// `class`, `struct`, `union`
    Class,
    /// `enum`; scoped says whether it is an `enum class`.
    Enum {
        /// Whether the enumerators need the enumeration's name before them.
        scoped: bool,
    },
    /// `extern "C" {`: names inside belong to the scope around it.
    Linkage,
    /// The body of a function or a lambda.
    Function,
    /// Any other braces: a block, an initialiser.
    Block,
}

/// One pair of braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The construct that opened it.
    pub kind: ScopeKind,
    /// Its names, outermost first: two for `namespace a::b {`, none for an unnamed one.
    pub names: Vec<Vec<u8>>,
    /// Token indices: from the opening brace to one past the closing one.
    pub tokens: Range<usize>,
    /// Index of the scope around it.
    pub parent: Option<usize>,
}

/// The brackets and scopes of a file.
#[derive(Clone, Default, Debug)]
pub struct Outline {
    /// Scopes in the order of their opening braces.
    pub scopes: Vec<Scope>,
    /// For each token: the partner of a bracket, else the token itself.
    partner: Vec<u32>,
    /// For each token: the innermost scope plus one, 0 at file level.
    innermost: Vec<u32>,
}

/// The scopes that are open at one place.
#[derive(Clone, Default)]
struct OpenScopes {
    brackets: Vec<usize>,
    scopes: Vec<usize>,
}

impl Outline {
    /// Find the brackets and scopes of `tokens`. Of the branches of a conditional each starts
    /// from what was open at its `#if`, so that two alternative headers of one body don't open
    /// it twice.
    pub fn new(source: &[u8], tokens: &Tokens) -> Self {
        let count = tokens.tokens.len();
        let mut outline = Self {
            scopes: Vec::new(),
            partner: (0..count as u32).collect(),
            innermost: Vec::with_capacity(count),
        };
        let mut state = OpenScopes::default();
        let mut saved: Vec<OpenScopes> = Vec::new();
        let mut directives = tokens.directives.iter().peekable();
        let start_of = |directive: Option<&&Directive>| {
            directive.map_or(usize::MAX, |directive| directive.tokens.start)
        };
        let mut next = start_of(directives.peek());
        for (index, token) in tokens.tokens.iter().enumerate() {
            while next <= index {
                let Some(directive) = directives.next() else {
                    break;
                };
                next = start_of(directives.peek());
                match directive.kind {
                    kind if kind.opens() => {
                        saved.push(state.clone());
                    }
                    kind if kind.divides() => {
                        if let Some(at_if) = saved.last() {
                            state.clone_from(at_if);
                        }
                    }
                    DirectiveKind::Endif => {
                        saved.pop();
                    }
                    _ => {}
                }
            }
            let here = state.scopes.last().map_or(0, |&scope| scope as u32 + 1);
            outline.innermost.push(here);
            if token.kind == TokenKind::Punct && !token.in_directive {
                outline.step(source, tokens, index, &mut state);
            }
        }
        for &scope in &state.scopes {
            if let Some(open) = outline.scopes.get_mut(scope) {
                open.tokens.end = count;
            }
        }
        outline
    }

    /// Take in the punctuation at `index`.
    fn step(&mut self, source: &[u8], tokens: &Tokens, index: usize, state: &mut OpenScopes) {
        let &[byte] = tokens.word(index, source) else {
            return;
        };
        match byte {
            b'(' | b'[' => state.brackets.push(index),
            b')' | b']' => self.close(source, tokens, index, state),
            b'{' => {
                let scope = self.open_scope(source, tokens, index, state);
                self.scopes.push(scope);
                state.scopes.push(self.scopes.len() - 1);
                state.brackets.push(index);
            }
            b'}' => {
                self.close(source, tokens, index, state);
                if let Some(scope) = state.scopes.pop().and_then(|at| self.scopes.get_mut(at)) {
                    scope.tokens.end = index + 1;
                }
            }
            _ => {}
        }
    }

    /// Pair a closing bracket with the nearest open one of its kind, forgetting the unclosed
    /// ones between them.
    fn close(&mut self, source: &[u8], tokens: &Tokens, index: usize, state: &mut OpenScopes) {
        let opener: &[u8] = match tokens.get(index).map(|token| token.text(source)) {
            Some(b")") => b"(",
            Some(b"]") => b"[",
            _ => b"{",
        };
        let is_opener = |at: &usize| {
            tokens
                .get(*at)
                .is_some_and(|token| token.text(source) == opener)
        };
        let is_brace = |at: &usize| {
            tokens
                .get(*at)
                .is_some_and(|token| token.text(source) == b"{")
        };
        // A stray `)` must not reach out of the braces that it stands in.
        let nearest = state
            .brackets
            .iter()
            .rposition(|at| is_opener(at) || is_brace(at))
            .filter(|&place| state.brackets.get(place).is_some_and(is_opener));
        let Some(place) = nearest else { return };
        let Some(&open) = state.brackets.get(place) else {
            return;
        };
        state.brackets.truncate(place);
        if let Some(slot) = self.partner.get_mut(open) {
            *slot = index as u32;
        }
        if let Some(slot) = self.partner.get_mut(index) {
            *slot = open as u32;
        }
    }

    /// The bracket that pairs with the one at `index`.
    pub fn partner(&self, index: usize) -> Option<usize> {
        let other = *self.partner.get(index)? as usize;
        (other != index).then_some(other)
    }

    /// The innermost scope around the token at `index`; for a brace, the scope around it.
    pub fn scope_of(&self, index: usize) -> Option<usize> {
        (*self.innermost.get(index)? as usize).checked_sub(1)
    }

    /// The scopes around a token, innermost first, as indices into [`Outline::scopes`].
    pub fn enclosing(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.scope_of(index), |&scope| {
            self.scopes.get(scope).and_then(|scope| scope.parent)
        })
    }

    /// The names of the namespaces and classes around a token, outermost first.
    pub fn path_of(&self, index: usize) -> Vec<&[u8]> {
        let mut path: Vec<&[u8]> = Vec::new();
        for scope in self.enclosing(index).filter_map(|at| self.scopes.get(at)) {
            path.extend(scope.names.iter().rev().map(Vec::as_slice));
        }
        path.reverse();
        path
    }

    fn open_scope(
        &self,
        source: &[u8],
        tokens: &Tokens,
        brace: usize,
        state: &OpenScopes,
    ) -> Scope {
        let (kind, names) = self.describe(source, tokens, brace);
        Scope {
            kind,
            names,
            tokens: brace..brace + 1,
            parent: state.scopes.last().copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LexOptions, lex};

    fn path_at(source: &str, word: &str) -> Vec<String> {
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let outline = Outline::new(source.as_bytes(), &tokens);
        let index = (0..tokens.tokens.len())
            .find(|&index| tokens.is(index, source.as_bytes(), word))
            .expect("the word is there");
        outline
            .path_of(index)
            .iter()
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()
    }

    #[test]
    fn names_of_namespaces_and_classes_are_found() {
        let source =
            "namespace a::b { struct X final : Y<int> { void f() { if (1) { here; } } }; }";
        assert_eq!(path_at(source, "here"), ["a", "b", "X"]);
        assert_eq!(path_at("struct alignas(8) V { int here; };", "here"), ["V"]);
        for attribute in ["VISIBILITY(default)", "EXPORTED", "EXPORTED a::b"] {
            let source = format!("namespace std::inline v1 {attribute} {{ int here; }}");
            assert_eq!(
                path_at(&source, "here"),
                ["std", "inline", "v1"],
                "{source}"
            );
        }
        assert_eq!(
            path_at("extern \"C\" { int here; }", "here"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn two_alternative_headers_open_one_body() {
        let source = "#if A\nvoid f(int x) {\n#else\nvoid f() {\n#endif\n}\nint here;";
        assert_eq!(path_at(source, "here"), Vec::<String>::new());
        let inside =
            "namespace n {\n#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nint here; }";
        assert_eq!(path_at(inside, "here"), ["n"]);
    }
}
