//! The type of a parameter or of an alias, by its tokens.

use crate::{Token, TokenKind};

/// A type, as far as a call depends on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// What it is made of.
    pub base: Base,
    /// How many pointers or arrays it is of that.
    pub depth: u8,
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A type of the language itself: `unsigned long long`.
    Builtin(Box<str>),
    /// Any other, by its last name.
    Named(Box<str>),
    /// A function.
    Function,
    /// What the tokens don't tell.
    Unclear,
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.base {
            Base::Builtin(name) | Base::Named(name) => f.write_str(name)?,
            Base::Function => f.write_str("function")?,
            Base::Unclear => f.write_str("?")?,
        }
        if self.depth > 0 {
            write!(f, " {}", "*".repeat(usize::from(self.depth)))?;
        }
        Ok(())
    }
}

/// Words of the language that make up arithmetic types.
const ARITHMETIC: [&[u8]; 11] = [
    b"void",
    b"bool",
    b"char",
    b"short",
    b"int",
    b"long",
    b"signed",
    b"unsigned",
    b"float",
    b"double",
    b"_Bool",
];

/// Words that stand in a declaration and are no type.
const BESIDE: [&[u8]; 22] = [
    b"const",
    b"volatile",
    b"restrict",
    b"__restrict__",
    b"__restrict",
    b"struct",
    b"class",
    b"union",
    b"enum",
    b"typename",
    b"register",
    b"typedef",
    b"static",
    b"extern",
    b"inline",
    b"__inline__",
    b"__inline",
    b"constexpr",
    b"mutable",
    b"signed",
    b"using",
    b"__extension__",
];

/// Whether a word is part of a declaration but neither a type nor a name.
pub(super) fn is_beside(word: &[u8]) -> bool {
    BESIDE.contains(&word)
}

/// The type of a parameter, or of what stands before a name that is declared. `named` says whether the tokens may end in a
/// name.
pub(super) fn read(source: &[u8], tokens: &[Token], named: bool) -> Type {
    let mut arithmetic: Vec<&[u8]> = Vec::new();
    let mut words: Vec<&[u8]> = Vec::new();
    let mut tag = None;
    let mut depth = 0_u8;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let text = token.text(source);
        at += 1;
        match (token.kind, text) {
            (TokenKind::Punct, b"=") => break,
            (TokenKind::Punct, b"*" | b"&" | b"&&") => depth = depth.saturating_add(1),
            (TokenKind::Punct, b"[") => {
                depth = depth.saturating_add(1);
                at = behind_closing(source, tokens, at - 1);
            }
            (TokenKind::Punct, b"(") => {
                if tokens.get(at).is_some_and(|next| next.is(source, "*")) {
                    return Type {
                        base: Base::Function,
                        depth: 1,
                    };
                }
                // What stands before is a macro or an attribute with arguments.
                words.pop();
                at = behind_closing(source, tokens, at - 1);
            }
            (TokenKind::Punct, b"<") => at = behind_angles(source, tokens, at - 1),
            (TokenKind::Punct, b"::") => {
                words.pop();
            }
            (TokenKind::Identifier, b"struct" | b"class" | b"union" | b"enum") => {
                tag = tokens.get(at).map(|next| next.text(source));
            }
            (TokenKind::Identifier, word) if ARITHMETIC.contains(&word) => arithmetic.push(word),
            (TokenKind::Identifier, word) if !is_beside(word) => words.push(word),
            _ => {}
        }
    }
    let base = match (arithmetic.is_empty(), words.as_slice()) {
        // Behind `struct` stands a type, whatever macros stand before.
        _ if tag.is_some() => Base::Named(text(tag.unwrap_or_default())),
        (false, _) => builtin(&arithmetic),
        (true, [only]) => Base::Named(text(only)),
        (true, [first, _]) if named => Base::Named(text(first)),
        _ => Base::Unclear,
    };
    Type { base, depth }
}

/// The type of the language that some words mean, in one spelling.
fn builtin(words: &[&[u8]]) -> Base {
    let has = |word: &[u8]| words.contains(&word);
    let longs = words.iter().filter(|word| **word == b"long").count();
    let unsigned = has(b"unsigned");
    let name = if has(b"void") {
        "void"
    } else if has(b"bool") || has(b"_Bool") {
        "bool"
    } else if has(b"float") {
        "float"
    } else if has(b"double") {
        "double"
    } else {
        let width = match (has(b"char"), has(b"short"), longs) {
            (true, ..) => "char",
            (_, true, _) => "short",
            (_, _, 0) => "int",
            (_, _, 1) => "long",
            _ => "long long",
        };
        let sign = if unsigned { "unsigned " } else { "" };
        return Base::Builtin(format!("{sign}{width}").into());
    };
    Base::Builtin(name.into())
}

pub(super) fn text(word: &[u8]) -> Box<str> {
    String::from_utf8_lossy(word).into()
}

/// The place behind the bracket that closes the one at `open`.
pub(super) fn behind_closing(source: &[u8], tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != TokenKind::Punct {
            continue;
        }
        match token.text(source) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The place behind the `>` that closes the `<` at `open`; the next one where none does.
pub(super) fn behind_angles(source: &[u8], tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text(source) {
            b"<" => depth += 1,
            b">" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b";" | b"{" => break,
            _ => {}
        }
    }
    open + 1
}
