//! Telling a declaration of a name from a use of it, by the tokens around it.

use crate::mapping::knowledge::Knowledge;
use crate::mapping::{Section, Tables};
use crate::syntax::{DirectiveKind, Outline, ScopeKind, Token, TokenKind, Tokens};
use crate::text::TextRange;

use super::facts::{Declared, DeclaredAs};

/// Words that can stand before a name without declaring it.
const USES: &[&[u8]] = &[
    b"return",
    b"else",
    b"throw",
    b"new",
    b"delete",
    b"case",
    b"goto",
    b"co_return",
    b"co_yield",
    b"co_await",
    b"sizeof",
    b"and",
    b"or",
    b"not",
    b"in",
    b"do",
    b"if",
    b"while",
    b"switch",
    b"using",
    b"typename",
    b"operator",
    b"enum",
    b"struct",
    b"class",
    b"union",
    b"namespace",
    b"const",
    b"constexpr",
    b"static",
    b"extern",
    b"inline",
    b"volatile",
    b"virtual",
    b"explicit",
    b"friend",
    b"mutable",
    b"typedef",
    b"template",
    b"public",
    b"private",
    b"protected",
    b"__restrict__",
    b"__host__",
    b"__device__",
    b"__global__",
    b"__forceinline__",
    b"defined",
    b"register",
    b"thread_local",
    b"decltype",
    b"noexcept",
    b"export",
    b"final",
    b"override",
    b"unsigned",
    b"signed",
    b"long",
    b"short",
];

/// A file as the declaration finder sees it.
pub(super) struct Site<'a> {
    pub(super) source: &'a [u8],
    pub(super) tokens: &'a Tokens,
    pub(super) outline: &'a Outline,
    pub(super) knowledge: &'a Knowledge,
    pub(super) tables: &'a Tables,
}

impl Site<'_> {
    pub(super) fn text(&self, index: usize) -> &[u8] {
        self.tokens
            .get(index)
            .map_or(b"", |token| token.text(self.source))
    }

    pub(super) fn before(&self, index: usize, back: usize) -> &[u8] {
        index.checked_sub(back).map_or(b"", |at| self.text(at))
    }

    /// What the project declares with the identifier at `index`, if it declares something.
    pub(super) fn declaration(&self, index: usize) -> Option<Declared> {
        let token = self.tokens.get(index)?;
        if token.in_directive {
            return self.macro_definition(index, token);
        }
        if matches!(self.before(index, 1), b"." | b"->" | b"::" | b"##" | b"#") {
            return None;
        }
        let scope_index = self.outline.scope_of(index);
        let scope_kind = scope_index
            .and_then(|at| self.outline.scopes.get(at))
            .map(|scope| scope.kind);
        let (what, body) = self.what(index, scope_kind)?;
        let reach = match what {
            DeclaredAs::Local => self.local_reach(index, token),
            _ => TextRange::new(0, self.source.len()),
        };
        Some(Declared {
            name: token.text(self.source).to_vec(),
            what,
            scope: self
                .outline
                .path_of(index)
                .into_iter()
                .map(<[u8]>::to_vec)
                .collect(),
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
            let body = brace.filter(|&at| self.text(at) == b"{").and_then(|at| {
                let close = self.tokens.get(self.outline.partner(at)?)?;
                Some(TextRange::new(
                    self.tokens.get(at)?.range().start,
                    close.range().end,
                ))
            });
            return Some((DeclaredAs::Type, body));
        }
        if before == b"using" && after == b"=" {
            return Some((self.alias_or_type(index), None));
        }
        if after == b";" && self.statement_starts_with(index, b"typedef") {
            return Some((self.alias_or_type(index), None));
        }
        let in_class = scope == Some(ScopeKind::Class);
        // `CUresult (*cuInit)(unsigned);`
        let pointer = before == b"*"
            && self.before(index, 2) == b"("
            && after == b")"
            && self.text(index + 2) == b"(";
        if pointer {
            let in_code = matches!(scope, Some(ScopeKind::Function | ScopeKind::Block));
            let typedef = self.statement_starts_with(index, b"typedef");
            let what = match (typedef, in_class, in_code) {
                (true, _, _) => DeclaredAs::Type,
                (_, true, _) => DeclaredAs::Member,
                (_, _, true) => DeclaredAs::Local,
                _ => DeclaredAs::Variable,
            };
            return Some((what, None));
        }
        if !self.follows_a_type(index) {
            return None;
        }
        let in_code = matches!(scope, Some(ScopeKind::Function | ScopeKind::Block))
            || self.in_parentheses(index);
        if after == b"(" {
            let close = self.outline.partner(index + 1)?;
            if let Some(brace) = self.body_after(close) {
                let end = self.outline.partner(brace).unwrap_or(brace);
                let body = self
                    .tokens
                    .get(brace)
                    .zip(self.tokens.get(end))
                    .map(|(open, close)| TextRange::new(open.range().start, close.range().end));
                let what = if in_class {
                    DeclaredAs::Member
                } else {
                    DeclaredAs::Function
                };
                // A weak definition stands in for the library's own.
                let weak = self.statement_starts_with(index, b"weak")
                    || self.statement_starts_with(index, b"__weak__");
                return (!in_code && !weak).then_some((what, body));
            }
            let ends = match self.text(close + 1) {
                b";" => true,
                b"const" | b"noexcept" | b"override" | b"final" | b"=" | b"->" => in_class,
                _ => false,
            };
            if in_code || !ends {
                return None;
            }
            let what = if in_class {
                DeclaredAs::Member
            } else {
                DeclaredAs::Prototype
            };
            return Some((what, None));
        }
        if !matches!(after, b";" | b"=" | b"," | b")" | b"[" | b"{" | b":") {
            return None;
        }
        if in_code {
            return Some((DeclaredAs::Local, None));
        }
        let what = if in_class {
            DeclaredAs::Member
        } else {
            DeclaredAs::Variable
        };
        matches!(after, b";" | b"=" | b"[" | b"{").then_some((what, None))
    }

    /// Whether what stands before the name can only be a type, so that the name is declared.
    pub(super) fn follows_a_type(&self, index: usize) -> bool {
        let mut at = index;
        let mut decorated = false;
        while matches!(
            self.before(at, 1),
            b"*" | b"&" | b"&&" | b"const" | b"__restrict__"
        ) {
            decorated = true;
            at -= 1;
        }
        let Some(token) = self.tokens.before(at, 1) else {
            return false;
        };
        let text = token.text(self.source);
        let is_word = token.kind == TokenKind::Identifier && !USES.contains(&text);
        if !decorated {
            // `Type<int> name`, but not `a > name`.
            let typed = || {
                let open = self.outline.partner(at - 1);
                text == b")" && open.is_some_and(|open| self.before(open, 1) == b"decltype")
            };
            return is_word || (text == b">" && self.closes_template(at - 1)) || typed();
        }
        // `Type *name` at the start of a statement or a parameter; `a * name` is a product.
        if !is_word {
            return text == b">" && self.closes_template(at - 1);
        }
        let mut start = at - 1;
        while self.before(start, 1) == b"::" && start >= 2 {
            start -= 2;
        }
        let boundary = start
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at))
            .is_none_or(|token| token.in_directive);
        (boundary
            || matches!(
                self.before(start, 1),
                b"" | b";"
                    | b"{"
                    | b"}"
                    | b"("
                    | b","
                    | b"const"
                    | b"static"
                    | b"struct"
                    | b"extern"
                    | b"unsigned"
                    | b"volatile"
                    | b"inline"
                    | b":"
                    | b")"
            ))
            && !self.is_call_argument(start)
    }

    /// Whether the name before `at` is an argument of a call, where `*` multiplies.
    fn is_call_argument(&self, at: usize) -> bool {
        if !matches!(self.before(at, 1), b"(" | b",") {
            return false;
        }
        // Parameters stand in parentheses whose partner is followed by a body or a `;` after a
        // type; an argument list stands inside a function.
        self.outline
            .scope_of(at)
            .and_then(|scope| self.outline.scopes.get(scope))
            .is_some_and(|scope| matches!(scope.kind, ScopeKind::Function | ScopeKind::Block))
    }

    fn closes_template(&self, at: usize) -> bool {
        let mut depth = 0_i32;
        for back in 0..64 {
            let Some(here) = at.checked_sub(back) else {
                return false;
            };
            match self.text(here) {
                b">" => depth += 1,
                b"<" => {
                    depth -= 1;
                    if depth == 0 {
                        return self
                            .tokens
                            .before(here, 1)
                            .is_some_and(|token| token.kind == TokenKind::Identifier);
                    }
                }
                b";" | b"{" | b"}" => return false,
                _ => {}
            }
        }
        false
    }

    /// The token index of the brace that opens a function's body behind its parameters.
    fn body_after(&self, close: usize) -> Option<usize> {
        let mut at = close + 1;
        for _ in 0..32 {
            match self.text(at) {
                b"{" => return Some(at),
                b"const" | b"noexcept" | b"override" | b"final" | b"try" | b"->" | b"::" | b"*"
                | b"&" => at += 1,
                b"(" => at = self.outline.partner(at)? + 1,
                _ if self.before(at, 1) == b"->" || self.before(at, 1) == b"::" => at += 1,
                _ => return None,
            }
        }
        None
    }

    fn in_parentheses(&self, index: usize) -> bool {
        // The nearest unclosed `(` before the name, within its statement.
        let mut at = index;
        for _ in 0..256 {
            let Some(before) = at.checked_sub(1) else {
                return false;
            };
            at = before;
            match self.text(at) {
                b"(" => return true,
                b")" => match self.outline.partner(at) {
                    Some(open) => at = open,
                    None => return false,
                },
                b";" | b"{" | b"}" => return false,
                _ => {}
            }
        }
        false
    }

    fn statement_starts_with(&self, index: usize, word: &[u8]) -> bool {
        let mut at = index;
        for _ in 0..256 {
            let Some(before) = at.checked_sub(1) else {
                return false;
            };
            at = before;
            match self.text(at) {
                text if text == word => return true,
                b";" | b"{" => return false,
                b"}" | b")" => at = self.outline.partner(at).unwrap_or(at),
                _ => {}
            }
        }
        false
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

    fn macro_definition(&self, index: usize, token: Token) -> Option<Declared> {
        let directive = self.tokens.directive_of(index)?;
        if directive.kind != DirectiveKind::Define || directive.tokens.start != index {
            return None;
        }
        let mut body_start = index + 1;
        let adjacent = self
            .tokens
            .get(body_start)
            .is_some_and(|next| next.range().start == token.range().end);
        if self.text(body_start) == b"(" && adjacent {
            while body_start < directive.tokens.end && self.text(body_start) != b")" {
                body_start += 1;
            }
            body_start += 1;
        }
        let body = body_start.min(directive.tokens.end)..directive.tokens.end;
        if body.is_empty() {
            // A switch for CUDA's headers, such as `__CUDA_NO_HALF_OPERATORS__`.
            return None;
        }
        let is_version_of = |at: usize| {
            self.tables.get(Section::Names, self.text(at)).is_some()
                && self.text(at).starts_with(token.text(self.source))
        };
        if body.len() == 1 && is_version_of(body.start) {
            // CUDA's own header says `#define cuMemAlloc cuMemAlloc_v2`; so do copies of it.
            return None;
        }
        let what = self.macro_meaning(body.clone());
        Some(Declared {
            name: token.text(self.source).to_vec(),
            what,
            scope: Vec::new(),
            at: token.range(),
            reach: TextRange::new(0, self.source.len()),
            body: self
                .tokens
                .get(body.start)
                .map(|first| TextRange::new(first.range().start, directive.range.end)),
        })
    }

    fn macro_meaning(&self, body: std::ops::Range<usize>) -> DeclaredAs {
        let first = self.tokens.get(body.start);
        let name = first
            .filter(|token| token.kind == TokenKind::Identifier)
            .map(|token| String::from_utf8_lossy(token.text(self.source)).into_owned());
        let Some(name) = name else {
            return DeclaredAs::Macro;
        };
        match self
            .knowledge
            .vendors
            .iter()
            .find(|vendor| vendor.owns_name(&name))
        {
            Some(vendor) if vendor.is_target() => DeclaredAs::Alias,
            Some(_) => DeclaredAs::VendorAlias,
            None => DeclaredAs::Macro,
        }
    }
}
