//! Distinguishes a declaration of a name from a use of it, by the tokens around it.

pub(super) mod lookalikes;
mod macros;
mod surroundings;

pub(super) use macros::Undefs;

use torchada_mapping::Tables;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::{Conditionals, Outline, ScopeKind, Token, TokenKind, Tokens};
use torchada_text::TextRange;

use super::facts::{DeclaredAs, OwnDeclaration};

/// A file as the declaration finder sees it.
pub(super) struct DeclarationSite<'a> {
    pub(super) source: &'a [u8],
    pub(super) tokens: &'a Tokens,
    pub(super) outline: &'a Outline,
    pub(super) conditionals: &'a Conditionals,
    pub(super) knowledge: &'a Knowledge,
    pub(super) tables: &'a Tables,
    pub(super) undefs: Undefs,
    /// Whether the file itself includes a header of CUDA's.
    pub(super) sees_library: bool,
}

impl DeclarationSite<'_> {
    fn text(&self, index: usize) -> &[u8] {
        self.tokens.word(index, self.source)
    }

    fn before(&self, index: usize, back: usize) -> &[u8] {
        self.tokens.word_before(index, back, self.source)
    }

    /// The declaration that the identifier at `index` makes, if it makes one.
    pub(super) fn declaration(&self, index: usize) -> Option<OwnDeclaration> {
        let token = self.tokens.get(index)?;
        if token.in_directive {
            return self.macro_definition(index, token);
        }
        if matches!(self.before(index, 1), b"." | b"->" | b"::" | b"##" | b"#") {
            return None;
        }
        let scope_index = self.outline.scope_of(index);
        let scope = scope_index.and_then(|at| self.outline.scopes.get(at));
        let scope_kind = scope.map(|scope| scope.kind);
        // An enumerator is found where its enumeration is.
        let around = match scope {
            Some(scope) if scope.kind == (ScopeKind::Enum { scoped: false }) => {
                self.outline.path_of(scope.tokens.start)
            }
            _ => self.outline.path_of(index),
        };
        let (what, body) = self.what(index, scope_kind)?;
        let reach = match what {
            DeclaredAs::Local => self.local_reach(index, token),
            _ => TextRange::new(0, self.source.len()),
        };
        Some(OwnDeclaration {
            name: token.text(self.source).to_vec(),
            what,
            scope: around.into_iter().map(<[u8]>::to_vec).collect(),
            at: token.range(),
            reach,
            body,
        })
    }

    fn what(
        &self,
        index: usize,
        scope: Option<ScopeKind>,
    ) -> Option<(DeclaredAs, Option<TextRange>)> {
        let before = self.before(index, 1);
        let after = self.text(index + 1);
        if let Some(ScopeKind::Enum { scoped }) = scope {
            let declares = matches!(before, b"{" | b",") && matches!(after, b"," | b"=" | b"}");
            let what = if scoped {
                DeclaredAs::Member
            } else {
                DeclaredAs::Type
            };
            return declares.then_some((what, None));
        }
        if matches!(before, b"struct" | b"class" | b"union" | b"enum")
            && matches!(after, b"{" | b":" | b"final")
        {
            let brace = (index..index + 40).find(|&at| matches!(self.text(at), b"{" | b";" | b""));
            let open = brace.filter(|&at| self.text(at) == b"{");
            let body = open.and_then(|at| self.braces(at, self.outline.partner(at)?));
            return Some((DeclaredAs::Type, body));
        }
        if before == b"using" && after == b"=" {
            return Some((self.alias_or_type(index), None));
        }
        if after == b";" && self.statement_starts_with(index, b"typedef") {
            return Some((self.alias_or_type(index), self.nameless_body(index)));
        }
        let in_function = matches!(scope, Some(ScopeKind::Function | ScopeKind::Block));
        // `CUresult (*cuInit)(unsigned);`, `CUresult (CUDAAPI *cuInit)(unsigned);`
        let pointer = before == b"*"
            && self.opens_pointer(index - 1)
            && after == b")"
            && self.text(index + 2) == b"(";
        if pointer {
            let what = if self.statement_starts_with(index, b"typedef") {
                DeclaredAs::Type
            } else if in_function {
                DeclaredAs::Local
            } else {
                member_or(DeclaredAs::Variable, scope)
            };
            let stands_in = what == DeclaredAs::Variable && self.is_typed_as_librarys(index, scope);
            return (!stands_in).then_some((what, None));
        }
        if !self.follows_a_type(index) && !self.is_further_declarator(index) {
            return None;
        }
        let in_code = in_function || self.in_parentheses(index);
        match after {
            b"(" if in_code => None,
            b"(" => self.function(index, scope),
            b";" | b"=" | b"," | b")" | b"[" | b"{" | b":" if in_code => {
                Some((DeclaredAs::Local, None))
            }
            b";" | b"=" | b"[" | b"{" => Some((member_or(DeclaredAs::Variable, scope), None)),
            _ => None,
        }
    }

    /// What a name behind a type and in front of parentheses is declared as, outside of code, with the function's body.
    fn function(
        &self,
        index: usize,
        scope: Option<ScopeKind>,
    ) -> Option<(DeclaredAs, Option<TextRange>)> {
        let close = self.outline.partner(index + 1)?;
        if let Some(brace) = self.body_after(close) {
            let end = self.outline.partner(brace).unwrap_or(brace);
            let body = self
                .tokens
                .get(brace)
                .zip(self.tokens.get(end))
                .map(|(open, close)| TextRange::new(open.range().start, close.range().end));
            let stands_in = self.is_weak(index)
                || self.is_librarys(index, scope)
                || self.is_typed_as_librarys(index, scope);
            return (!stands_in).then_some((member_or(DeclaredAs::Function, scope), body));
        }
        let ends = match self.text(close + 1) {
            b";" => true,
            b"const" | b"noexcept" | b"override" | b"final" | b"=" | b"->" => {
                scope == Some(ScopeKind::Class)
            }
            _ => false,
        };
        let declares = ends && !self.is_typed_as_librarys(index, scope);
        declares.then_some((member_or(DeclaredAs::Prototype, scope), None))
    }

    /// Whether a parenthesis opens right before the `*` at `star`, or one word before it: the convention of calls.
    fn opens_pointer(&self, star: usize) -> bool {
        let is_word = self
            .tokens
            .before(star, 1)
            .is_some_and(|token| token.kind == TokenKind::Identifier);
        self.before(star, 1) == b"(" || is_word && self.before(star, 2) == b"("
    }

    /// The braces of `typedef struct { … } name;`, in which the project declares the members. A
    /// struct with a name of its own is declared by that name.
    fn nameless_body(&self, index: usize) -> Option<TextRange> {
        let close = index.checked_sub(1).filter(|&at| self.text(at) == b"}")?;
        let open = self.outline.partner(close)?;
        let mut at = open;
        // `struct __align__(64) {`
        while self.before(at, 1) == b")" {
            at = self.outline.partner(at - 1)?.checked_sub(1)?;
        }
        matches!(self.before(at, 1), b"struct" | b"class" | b"union")
            .then(|| self.braces(open, close))?
    }

    fn braces(&self, open: usize, close: usize) -> Option<TextRange> {
        let (open, close) = (self.tokens.get(open)?, self.tokens.get(close)?);
        Some(TextRange::new(open.range().start, close.range().end))
    }

    /// A type alias to a name of the target is an alias like a `#define`.
    fn alias_or_type(&self, index: usize) -> DeclaredAs {
        let range = if self.text(index + 1) == b"=" {
            index + 2..index + 12
        } else {
            index.saturating_sub(6)..index
        };
        let target = |at: usize| {
            let text = String::from_utf8_lossy(self.text(at));
            let token = self.tokens.get(at);
            token.is_some_and(|token| token.kind == TokenKind::Identifier)
                && self
                    .knowledge
                    .vendors
                    .iter()
                    .any(|vendor| vendor.is_target() && vendor.owns_name(&text))
        };
        let aliases = range
            .take_while(|&at| !matches!(self.text(at), b"}"))
            .take_while(|&at| at < index || self.text(at) != b";")
            .any(target);
        if aliases {
            DeclaredAs::Alias
        } else {
            DeclaredAs::Type
        }
    }

    /// A local reaches to the end of the block around it, a parameter over the body behind.
    fn local_reach(&self, index: usize, token: Token) -> TextRange {
        let mut end = self.source.len();
        let scope = self
            .outline
            .scope_of(index)
            .and_then(|at| self.outline.scopes.get(at));
        if let Some(scope) = scope
            && matches!(scope.kind, ScopeKind::Function | ScopeKind::Block)
        {
            end = self
                .tokens
                .get(scope.tokens.end.saturating_sub(1))
                .map_or(end, |last| last.range().end);
        } else {
            // A parameter: up to the end of the next body, or of the declaration.
            let mut at = index;
            while !matches!(self.text(at), b"{" | b";" | b"") {
                at += 1;
            }
            let last = self.outline.partner(at).unwrap_or(at);
            end = self.tokens.get(last).map_or(end, |last| last.range().end);
        }
        TextRange::new(token.range().start, end.max(token.range().end))
    }
}

/// A member in a class, and elsewhere what is given.
fn member_or(elsewhere: DeclaredAs, scope: Option<ScopeKind>) -> DeclaredAs {
    if scope == Some(ScopeKind::Class) {
        DeclaredAs::Member
    } else {
        elsewhere
    }
}
