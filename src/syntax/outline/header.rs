//! Decides what a pair of braces is by the tokens in front of it.

use super::{Outline, ScopeKind};
use crate::token::TokenKind;
use crate::tokens::Tokens;

impl Outline {
    /// The kind of the braces that open at `brace`, and their names, by the tokens before
    /// them.
    pub(super) fn describe(
        &self,
        source: &[u8],
        tokens: &Tokens,
        brace: usize,
    ) -> (ScopeKind, Vec<Vec<u8>>) {
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
                    let length = chain_length(source, tokens, at + 1);
                    return (ScopeKind::Namespace, name_of_namespace(names, length));
                }
                (TokenKind::Identifier, b"enum") => {
                    let name = names.pop().into_iter().collect();
                    return (ScopeKind::Enum { scoped: false }, name);
                }
                (TokenKind::Identifier, b"class" | b"struct" | b"union") if !function_like => {
                    let kind = if tokens.is(at.wrapping_sub(1), source, "enum") {
                        ScopeKind::Enum { scoped: true }
                    } else {
                        ScopeKind::Class
                    };
                    return (kind, name_of_class(names));
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

/// The name of a namespace among the words that were read on the way back to it. An attribute may stand in front of the
/// name, too: then the length of the chain that follows is unknown.
fn name_of_namespace(mut names: Vec<Vec<u8>>, length: usize) -> Vec<Vec<u8>> {
    names.reverse();
    if length > 0 {
        names.truncate(length);
    }
    names
}

/// The name of a class among the words that were read on the way back to its keyword: the last one before the brace or the
/// base clause. Those before it are macros and attributes.
fn name_of_class(names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut names = names.into_iter();
    names.find(|name| name != b"final").into_iter().collect()
}

/// How many names the chain of names at a token has: two for `a::b`. What stands behind the name of a namespace is an
/// attribute, or a macro in place of one: `namespace std _GLIBCXX_VISIBILITY(default) {`.
fn chain_length(source: &[u8], tokens: &Tokens, from: usize) -> usize {
    let is_name = |at: usize| {
        let token = tokens.get(at);
        token.is_some_and(|token| token.kind == TokenKind::Identifier)
    };
    let (mut at, mut length) = (from, 0);
    while is_name(at) {
        length += 1;
        if tokens.is(at + 1, source, "::") {
            at += 2;
        } else if tokens.is(at, source, "inline") {
            at += 1;
        } else {
            break;
        }
    }
    length
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
