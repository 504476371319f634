//! The scopes of a file, from its tokens alone.
//!
//! Enough of a structure to tell a declaration from a use, without needing the file to parse:
//! real headers are full of macros that no grammar knows.

use std::ops::Range;

use super::token::{DirectiveKind, TokenKind, Tokens};

/// What opened a pair of braces.
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
    /// What opened it.
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

/// What is open at one place.
#[derive(Clone, Default)]
struct State {
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
            innermost: vec![0; count],
        };
        let mut state = State::default();
        let mut saved: Vec<State> = Vec::new();
        let mut directives = tokens.directives.iter().peekable();
        for index in 0..count {
            while let Some(directive) =
                directives.next_if(|directive| directive.tokens.start <= index)
            {
                match directive.kind {
                    DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                        saved.push(state.clone());
                    }
                    DirectiveKind::Elif
                    | DirectiveKind::Elifdef
                    | DirectiveKind::Elifndef
                    | DirectiveKind::Else => {
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
            outline.step(source, tokens, index, &mut state);
        }
        for &scope in &state.scopes {
            if let Some(open) = outline.scopes.get_mut(scope) {
                open.tokens.end = count;
            }
        }
        outline
    }

    fn step(&mut self, source: &[u8], tokens: &Tokens, index: usize, state: &mut State) {
        let here = state.scopes.last().map_or(0, |&scope| scope as u32 + 1);
        if let Some(slot) = self.innermost.get_mut(index) {
            *slot = here;
        }
        let Some(token) = tokens.get(index) else {
            return;
        };
        if token.in_directive || token.kind != TokenKind::Punct {
            return;
        }
        match token.text(source) {
            b"(" | b"[" => state.brackets.push(index),
            b")" | b"]" => self.close(source, tokens, index, state),
            b"{" => {
                let scope = self.open_scope(source, tokens, index, state);
                self.scopes.push(scope);
                state.scopes.push(self.scopes.len() - 1);
                state.brackets.push(index);
            }
            b"}" => {
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
    fn close(&mut self, source: &[u8], tokens: &Tokens, index: usize, state: &mut State) {
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

    /// What the braces that open at `brace` are, judged by the tokens before them.
    fn open_scope(&self, source: &[u8], tokens: &Tokens, brace: usize, state: &State) -> Scope {
        let (kind, names) = self.describe(source, tokens, brace);
        Scope {
            kind,
            names,
            tokens: brace..brace + 1,
            parent: state.scopes.last().copied(),
        }
    }

    fn describe(&self, source: &[u8], tokens: &Tokens, brace: usize) -> (ScopeKind, Vec<Vec<u8>>) {
        // Walk back to the start of the declaration that the brace belongs to.
        let mut names: Vec<Vec<u8>> = Vec::new();
        let mut at = brace;
        let mut inherited = false;
        let mut function_like = false;
        let mut arrow = false;
        let mut qualifiers: Vec<Vec<u8>> = Vec::new();
        for _ in 0..MAX_HEADER {
            let Some(token) = at.checked_sub(1).and_then(|before| tokens.get(before)) else {
                break;
            };
            at -= 1;
            if token.in_directive {
                continue;
            }
            let text = token.text(source);
            match (token.kind, text) {
                (TokenKind::Punct, b";" | b"{" | b"}")
                | (TokenKind::Identifier, b"else" | b"do" | b"try" | b"return") => break,
                (TokenKind::Punct, b"->") => arrow = true,
                (TokenKind::Punct, b")") => {
                    // Parameters, unless a name stands between them and the brace, as in
                    // `struct alignas(16) Name {`.
                    let bare = names.iter().all(|name| is_specifier(name));
                    function_like |= !inherited && (bare || arrow);
                    match self.partner(at) {
                        Some(open) => at = open,
                        None => break,
                    }
                    if function_like && qualifiers.is_empty() {
                        qualifiers = qualifiers_before(source, tokens, at);
                    }
                }
                (TokenKind::Punct, b"(" | b"," | b"=") if !inherited => {
                    // Inside an argument list or behind `=`: an initialiser or a lambda.
                    let kind = if function_like {
                        ScopeKind::Function
                    } else {
                        ScopeKind::Block
                    };
                    return (kind, Vec::new());
                }
                (TokenKind::Punct, b":") => {
                    // A base clause or a constructor's initialisers: the name stands before it.
                    inherited = true;
                    function_like = false;
                    names.clear();
                }
                (TokenKind::String, b"\"C\"" | b"\"C++\"")
                    if tokens.is(at.wrapping_sub(1), source, "extern") =>
                {
                    return (ScopeKind::Linkage, Vec::new());
                }
                (TokenKind::Identifier, b"namespace") => {
                    names.reverse();
                    return (ScopeKind::Namespace, names);
                }
                (TokenKind::Identifier, b"enum") => {
                    names.reverse();
                    names.truncate(1);
                    return (ScopeKind::Enum { scoped: false }, names);
                }
                (TokenKind::Identifier, b"class" | b"struct" | b"union") if !function_like => {
                    names.reverse();
                    // The last name before the brace or base clause is the class's; those
                    // before it are macros and attributes.
                    let own = names
                        .pop()
                        .filter(|name| name != b"final")
                        .or_else(|| names.pop());
                    let name = own.into_iter().collect::<Vec<_>>();
                    if tokens.is(at.wrapping_sub(1), source, "enum") {
                        return (ScopeKind::Enum { scoped: true }, name);
                    }
                    return (ScopeKind::Class, name);
                }
                (TokenKind::Identifier, name) => names.push(name.to_vec()),
                _ => {}
            }
        }
        let kind = if function_like || inherited {
            ScopeKind::Function
        } else {
            ScopeKind::Block
        };
        (kind, qualifiers)
    }
}

/// The qualifiers of a function's name that stands before the parenthesis at `open`: `Pool` of
/// `void Pool::reset(`.
fn qualifiers_before(source: &[u8], tokens: &Tokens, open: usize) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut at = open;
    loop {
        let separator = at.checked_sub(2).filter(|&at| tokens.is(at, source, "::"));
        let name = separator.and_then(|at| tokens.before(at, 1));
        match name.filter(|token| token.kind == TokenKind::Identifier) {
            Some(token) => names.push(token.text(source).to_vec()),
            None => break,
        }
        at -= 2;
    }
    names.reverse();
    names
}

/// How many tokens before a brace are looked at to tell what it opens. Longer headers than
/// this exist only in generated code, where the braces are taken for a block.
const MAX_HEADER: usize = 200;

/// Words that may stand between a function's parameters and its body.
fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"const" | b"noexcept" | b"override" | b"final" | b"mutable" | b"volatile" | b"try"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{LexOptions, lex};

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
