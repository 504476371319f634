//! Decides by the tokens around a name whether it is declared there.

use torchada_mapping::{Relation, Section};
use torchada_syntax::{ScopeKind, TokenKind};

use super::DeclarationSite;
use super::lookalikes::ENDS;

/// How many tokens in front of a name are read for its type.
const HEAD: usize = 40;

/// Whether a token may stand in front of a type with which a declaration begins.
fn may_stand_before_type(token: &[u8]) -> bool {
    const MARKS: &[u8] = b";{}(,:)";
    match token {
        [] => true,
        [mark] => MARKS.contains(mark),
        word => matches!(
            word,
            b"const" | b"struct" | b"extern" | b"unsigned" | b"volatile"
        ),
    }
}

impl DeclarationSite<'_> {
    /// Whether what stands before the name can only be a type, so that the name is declared.
    pub(super) fn follows_a_type(&self, index: usize) -> bool {
        let words = &self.knowledge.shapes.declarations;
        let mut at = index;
        let mut decorated = false;
        while matches!(
            self.before(at, 1),
            b"*" | b"&" | b"&&" | b"const" | b"__restrict__"
        ) {
            decorated = true;
            at -= 1;
        }
        loop {
            if words.is_specifier(self.before(at, 1)) {
                at -= 1;
            } else if let Some(front) = self.attribute_before(at) {
                at = front;
            } else {
                break;
            }
        }
        let Some(token) = self.tokens.before(at, 1) else {
            return false;
        };
        let text = token.text(self.source);
        let is_word = token.kind == TokenKind::Identifier && !words.is_use(text);
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
        // `template <typename T>\nT *name`
        let is_template = || {
            let front = start.checked_sub(1).and_then(|at| self.template_front(at));
            front.is_some_and(|front| self.text(front) == b"template")
        };
        let before = self.before(start, 1);
        let begins = boundary
            || words.is_specifier(before)
            || may_stand_before_type(before)
            || is_template();
        begins && (!self.is_call_argument(start) || self.heads_condition(start, index))
    }

    /// Whether a condition or a loop declares a name whose type begins at `start`: `if (Type *name = find())`.
    fn heads_condition(&self, start: usize, name: usize) -> bool {
        self.before(start, 1) == b"("
            && matches!(self.before(start, 2), b"if" | b"while" | b"for" | b"switch")
            && matches!(self.text(name + 1), b"=" | b":")
    }

    /// Whether the name is a further one that its statement declares: `int first, *name;`, but not `pair<long int, name>`.
    pub(super) fn is_further_declarator(&self, index: usize) -> bool {
        let stars = (1..4)
            .take_while(|&back| matches!(self.before(index, back), b"*" | b"&"))
            .count();
        if self.before(index, stars + 1) != b"," || !ENDS.contains(&self.text(index + 1)) {
            return false;
        }
        let (mut at, mut angles) = (index, 0_i32);
        for _ in 0..400 {
            let Some(before) = at.checked_sub(1) else {
                break;
            };
            let ends = self
                .tokens
                .get(before)
                .is_none_or(|token| token.in_directive);
            match self.text(before) {
                b"(" | b"[" => return false,
                b"<" if angles == 0 => return false,
                b"<" => (at, angles) = (before, angles - 1),
                b">" => (at, angles) = (before, angles + 1),
                b">>" => (at, angles) = (before, angles + 2),
                b";" | b"{" | b":" => break,
                b")" | b"]" | b"}" => match self.outline.partner(before) {
                    Some(open) if self.text(before) != b"}" || self.text(before + 1) == b"," => {
                        at = open;
                    }
                    _ => break,
                },
                _ if ends => break,
                _ => at = before,
            }
        }
        // A type and a name: `unsigned n`, `std::vector<int> a`, `T *p`.
        (at..at + 24)
            .take_while(|&here| !matches!(self.text(here), b"," | b"=" | b"(" | b"[" | b""))
            .any(|here| {
                let is_word = |at: usize| {
                    self.tokens
                        .get(at)
                        .is_some_and(|token| token.kind == TokenKind::Identifier)
                };
                is_word(here + 1)
                    && (is_word(here) || matches!(self.text(here), b">" | b"*" | b"&"))
            })
    }

    /// Where the attribute begins that ends before `at`.
    fn attribute_before(&self, at: usize) -> Option<usize> {
        let close = at.checked_sub(1).filter(|&at| self.text(at) == b")")?;
        let open = self.outline.partner(close)?;
        let words = &self.knowledge.shapes.declarations;
        words.is_attribute(self.before(open, 1)).then(|| open - 1)
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
        self.template_front(at).is_some()
    }

    /// The word before the `<` that the `>` at `at` closes.
    fn template_front(&self, at: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for back in 0..64 {
            let here = at.checked_sub(back)?;
            match self.text(here) {
                b">" => depth += 1,
                b"<" => {
                    depth -= 1;
                    if depth == 0 {
                        let front = self.tokens.before(here, 1)?;
                        return (front.kind == TokenKind::Identifier).then(|| here - 1);
                    }
                }
                b";" | b"{" | b"}" => return None,
                _ => {}
            }
            if depth == 0 {
                return None;
            }
        }
        None
    }

    /// The token index of the brace that opens a function's body behind its parameters.
    pub(super) fn body_after(&self, close: usize) -> Option<usize> {
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

    /// Whether a definition is weak: it stands in for the library's own.
    pub(super) fn is_weak(&self, index: usize) -> bool {
        self.statement_starts_with(index, b"weak") || self.statement_starts_with(index, b"__weak__")
    }

    /// Whether a definition is of the library's own function: it has C's linkage, in which functions have one meaning,
    /// and the file includes a header of CUDA's. A stub that loads the library is written so, or what intercepts calls.
    pub(super) fn is_librarys(&self, index: usize, scope: Option<ScopeKind>) -> bool {
        self.sees_library
            && (scope == Some(ScopeKind::Linkage) || self.statement_starts_with(index, b"\"C\""))
            && !self.statement_starts_with(index, b"static")
    }

    /// Whether a declaration outside of all namespaces is of the library's own function, or of a pointer to it: its name
    /// gets MUSA's, and so does a type in front of it. `CUresult cuInit(unsigned)`, `CUresult (*cuInit)(unsigned)`.
    pub(super) fn is_typed_as_librarys(&self, index: usize, scope: Option<ScopeKind>) -> bool {
        let is_renamed = |at: usize| {
            let row = self.tables.get(Section::Names, self.text(at));
            row.is_some_and(|row| row.relation == Relation::Renamed)
        };
        let ends = |at: &usize| !matches!(self.text(*at), b";" | b"{" | b"}" | b"");
        let head = || (index.saturating_sub(HEAD)..index).rev().take_while(ends);
        let is_local = |at: usize| matches!(self.text(at), b"static" | b"inline" | b"template");
        matches!(scope, None | Some(ScopeKind::Linkage))
            && is_renamed(index)
            && head().any(is_renamed)
            && !head().any(is_local)
    }

    pub(super) fn in_parentheses(&self, index: usize) -> bool {
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

    pub(super) fn statement_starts_with(&self, index: usize, word: &[u8]) -> bool {
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
}
