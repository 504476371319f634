//! The way through a header, from statement to statement.

use rustc_hash::FxHashMap;

use super::model::{Declaration, DeclarationKind, HeaderDeclarations};
use super::types;
use crate::{Macro, Outline, Scope, ScopeKind, Token, TokenKind, Tokens};

/// A header that is being read.
pub(super) struct Walk<'a> {
    pub(super) source: &'a [u8],
    pub(super) tokens: &'a Tokens,
    pub(super) outline: &'a Outline,
    pub(super) known: &'a dyn Fn(&[u8]) -> Macro,
    /// The token that comes next.
    pub(super) at: usize,
    /// The directive that comes next.
    pub(super) directive: usize,
    /// For each open conditional, whether a branch that is surely compiled was read.
    pub(super) certain: Vec<bool>,
    /// The tokens of the statement so far, without those of braces.
    pub(super) statement: Vec<Token>,
    pub(super) contexts: Vec<Context>,
    /// The names of the namespaces and classes around.
    pub(super) path: Vec<Box<str>>,
    /// Values of the file's macros and enumerators.
    pub(super) values: FxHashMap<Box<[u8]>, i64>,
    pub(super) found: HeaderDeclarations,
}

/// Braces whose inside is read.
pub(super) struct Context {
    is_class: bool,
    /// How many names it added to the path.
    names: usize,
    /// The statement that the braces are part of.
    before: Vec<Token>,
}

impl Walk<'_> {
    pub(super) fn run(&mut self) {
        loop {
            self.pass_directives();
            let Some(token) = self.tokens.get(self.at) else {
                break;
            };
            if token.in_directive {
                self.at += 1;
                continue;
            }
            match (token.kind, token.text(self.source)) {
                (TokenKind::Punct, b";") => {
                    self.at += 1;
                    self.end_statement();
                }
                (TokenKind::Punct, b"{") => self.brace(),
                (TokenKind::Punct, b"}") => {
                    self.at += 1;
                    self.close();
                }
                (TokenKind::Punct, b":") if self.is_access_label() => {
                    self.at += 1;
                    self.statement.clear();
                }
                _ => {
                    self.at += 1;
                    self.statement.push(token);
                }
            }
        }
    }

    fn is_access_label(&self) -> bool {
        let [only] = self.statement.as_slice() else {
            return false;
        };
        matches!(
            only.text(self.source),
            b"public" | b"private" | b"protected"
        )
    }

    pub(super) fn in_class(&self) -> bool {
        self.contexts.last().is_some_and(|around| around.is_class)
    }

    pub(super) fn declare(&mut self, name: Token, what: DeclarationKind) {
        let declaration = Declaration {
            name: types::text(name.text(self.source)),
            path: self.path.join("::").into(),
            offset: name.range().start as u32,
            what,
        };
        self.found.declarations.push(declaration);
    }

    fn scope_at(&self, brace: usize) -> Option<&Scope> {
        let scopes = &self.outline.scopes;
        let at = scopes.binary_search_by_key(&brace, |scope| scope.tokens.start);
        scopes.get(at.ok()?)
    }

    fn brace(&mut self) {
        let brace = self.at;
        let kind = self.scope_at(brace).map(|scope| scope.kind);
        let close = self.outline.partner(brace);
        match (kind, close) {
            (Some(ScopeKind::Namespace), _) => {
                let scope = self.scope_at(brace);
                let names: Vec<Box<str>> = scope
                    .map(|scope| scope.names.iter().map(|name| types::text(name)).collect())
                    .unwrap_or_default();
                self.statement.clear();
                self.enter(names, false);
            }
            (Some(ScopeKind::Linkage), _) => {
                self.statement.clear();
                self.enter(Vec::new(), false);
            }
            (Some(ScopeKind::Class), Some(_)) => {
                let name = self.type_name();
                if let Some(name) = name {
                    self.declare(name, DeclarationKind::Type { defined: true });
                }
                self.stand_in(name, brace);
                let names = name.map(|name| types::text(name.text(self.source)));
                self.enter(names.into_iter().collect(), true);
            }
            (Some(ScopeKind::Enum { scoped }), Some(close)) => {
                let name = self.type_name();
                if let Some(name) = name {
                    self.declare(name, DeclarationKind::Type { defined: true });
                }
                let mut path = self.path.join("::");
                if let Some(name) = name.filter(|_| scoped) {
                    let separator = if path.is_empty() { "" } else { "::" };
                    path = format!("{path}{separator}{}", types::text(name.text(self.source)));
                }
                self.enumerators(brace + 1..close, &path);
                self.stand_in(name, brace);
                self.at = close + 1;
            }
            (Some(ScopeKind::Function), close) => {
                self.end_statement();
                self.at = close.unwrap_or(brace) + 1;
            }
            (_, Some(close)) => self.at = close + 1,
            (_, None) => {
                self.statement.clear();
                self.at += 1;
            }
        }
    }

    /// Leave of the statement that has a body what stands for it in what follows: `typedef`, and the type's name, or
    /// its closing brace where it has none.
    fn stand_in(&mut self, name: Option<Token>, brace: usize) {
        let typedef = self.statement.first().copied();
        let typedef = typedef.filter(|first| first.is(self.source, "typedef"));
        self.statement.clear();
        self.statement.extend(typedef);
        let close = self.outline.partner(brace);
        let close = close.and_then(|close| self.tokens.get(close));
        self.statement.extend(name.or(close));
    }

    fn enter(&mut self, names: Vec<Box<str>>, is_class: bool) {
        self.at += 1;
        self.contexts.push(Context {
            is_class,
            names: names.len(),
            before: std::mem::take(&mut self.statement),
        });
        self.path.extend(names);
    }

    fn close(&mut self) {
        self.statement.clear();
        if let Some(context) = self.contexts.pop() {
            self.path
                .truncate(self.path.len().saturating_sub(context.names));
            self.statement = context.before;
        }
    }

    /// The name of the class or enumeration that the statement opens: the last word before its bases.
    fn type_name(&self) -> Option<Token> {
        let key = |token: &Token| {
            matches!(
                token.text(self.source),
                b"struct" | b"class" | b"union" | b"enum"
            )
        };
        let start = self.statement.iter().rposition(key)? + 1;
        let mut name = None;
        let mut at = start;
        while let Some(token) = self.statement.get(at) {
            match (token.kind, token.text(self.source)) {
                (TokenKind::Punct, b":") => break,
                (TokenKind::Punct, b"(" | b"[") => {
                    // An attribute or a macro with arguments.
                    name = None;
                    at = types::behind_closing(self.source, &self.statement, at);
                    continue;
                }
                (TokenKind::Punct, b"<") => {
                    at = types::behind_angles(self.source, &self.statement, at);
                    continue;
                }
                (TokenKind::Identifier, b"final" | b"class" | b"struct") => {}
                (TokenKind::Identifier, _) => name = Some(*token),
                _ => {}
            }
            at += 1;
        }
        name
    }
}
