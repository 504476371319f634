//! The pieces of a template: string literals, macros, and what conditionals of the preprocessor choose between.

use std::ops::Range;

use crate::{Directive, DirectiveKind, TokenKind, Tokens, arguments};
use torchada_text::TextRange;

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A string literal: its text with all escapes resolved, and for each of its bytes the offset in the source at
    /// which that byte is written.
    Literal(String, Vec<usize>),
    /// The token index of a macro's name, of a macro's parameter behind `#`, or of a placeholder.
    Macro(usize),
    /// One of these, as an `#if` with its other branches decides.
    Choice(Vec<Vec<Piece>>),
}

impl Piece {
    /// How many literals and macros it has.
    pub fn count(&self) -> usize {
        match self {
            Self::Literal(..) | Self::Macro(_) => 1,
            Self::Choice(branches) => branches.iter().flatten().map(Self::count).sum(),
        }
    }
}

/// The directives between two tokens.
pub(super) fn directives_between(tokens: &Tokens, range: Range<usize>) -> &[Directive] {
    let place = |index: usize| tokens.get(index).map_or(0, |token| token.range().start);
    let (start, end) = (place(range.start), place(range.end));
    let behind = |offset: usize| {
        tokens
            .directives
            .partition_point(|one| one.range.start < offset)
    };
    tokens
        .directives
        .get(behind(start)..behind(end))
        .unwrap_or_default()
}

/// An `#if` that is open: the pieces before it, and its branches that are read.
struct OpenIf {
    before: Vec<Piece>,
    branches: Vec<Vec<Piece>>,
    has_else: bool,
}

/// The pieces in a range of tokens, among which all of `directives` stand; `fails` is called for a token that is no
/// part of a template.
pub(super) fn pieces(
    source: &[u8],
    tokens: &Tokens,
    range: Range<usize>,
    directives: &[Directive],
    fails: &mut dyn FnMut(usize),
) -> Vec<Piece> {
    let mut directives = directives.iter().peekable();
    let mut open: Vec<OpenIf> = Vec::new();
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(token) = tokens.get(at) {
        let place = token.range().start;
        if let Some(directive) = directives.next_if(|one| one.range.start < place) {
            if choose(directive.kind, &mut open, &mut found).is_none() {
                fails(at);
            }
            at = at.max(directive.tokens.end);
            continue;
        }
        if at >= range.end {
            break;
        }
        match token.kind {
            TokenKind::String | TokenKind::RawString => {
                match string_literal(source, token.range()) {
                    Some((text, places)) => found.push(Piece::Literal(text, places)),
                    None => fails(at),
                }
            }
            TokenKind::Identifier | TokenKind::Placeholder => {
                found.push(Piece::Macro(at));
                // A macro's arguments.
                if tokens.is(at + 1, source, "(") {
                    let last =
                        arguments(source, tokens, at + 1).and_then(|all| all.last().cloned());
                    at = last.map_or(at + 1, |last| last.end);
                }
            }
            TokenKind::Punct if matches!(token.text(source), b"#" | b"(" | b")") => {}
            _ => fails(at),
        }
        at += 1;
    }
    if !open.is_empty() || directives.next().is_some() {
        fails(range.end);
    }
    // What an `#if` without an end has before it belongs to the template nonetheless.
    for one in open.into_iter().rev() {
        let branches = one.branches.into_iter().flatten();
        found = one
            .before
            .into_iter()
            .chain(branches)
            .chain(found)
            .collect();
    }
    found
}

/// Go into a branch of a conditional, or out of the last one.
fn choose(kind: DirectiveKind, open: &mut Vec<OpenIf>, found: &mut Vec<Piece>) -> Option<()> {
    match kind {
        _ if kind.opens() => open.push(OpenIf {
            before: std::mem::take(found),
            branches: Vec::new(),
            has_else: false,
        }),
        _ if kind.divides() => {
            let innermost = open.last_mut()?;
            innermost.has_else |= kind == DirectiveKind::Else;
            innermost.branches.push(std::mem::take(found));
        }
        DirectiveKind::Endif => {
            let mut innermost = open.pop()?;
            innermost
                .branches
                .push(std::mem::replace(found, innermost.before));
            if !innermost.has_else {
                innermost.branches.push(Vec::new());
            }
            found.push(Piece::Choice(innermost.branches));
        }
        _ => return None,
    }
    Some(())
}

/// The text of a string literal with its escapes resolved, and where each of its bytes stands in the source. A
/// line that `\` continues adds nothing.
pub fn string_literal(source: &[u8], range: TextRange) -> Option<(String, Vec<usize>)> {
    let whole = range.of(source);
    let quote = whole.iter().position(|byte| *byte == b'"')?;
    let prefix = whole.get(..quote)?;
    let mut text: Vec<u8> = Vec::new();
    let mut places = Vec::new();
    let mut push = |byte: u8, at: usize| {
        text.push(byte);
        places.push(range.start + at);
    };
    if prefix.ends_with(b"R") {
        let rest = whole.get(quote + 1..)?;
        let open = rest.iter().position(|byte| *byte == b'(')?;
        let start = quote + 1 + open + 1;
        // `)delimiter"`
        let end = whole.len().checked_sub(open + 2)?;
        for at in start..end {
            push(*whole.get(at)?, at);
        }
    } else {
        let end = whole.len().checked_sub(1)?;
        let mut at = quote + 1;
        while at < end {
            let byte = *whole.get(at)?;
            if byte != b'\\' {
                push(byte, at);
                at += 1;
                continue;
            }
            let escape = *whole.get(at + 1)?;
            match escape {
                b'n' => push(b'\n', at),
                b't' | b'v' | b'f' | b'r' => push(b' ', at),
                b'\n' => {}
                b'\r' => at += usize::from(whole.get(at + 2) == Some(&b'\n')),
                b'\\' | b'"' | b'\'' | b'?' => push(escape, at),
                // Numeric escapes have no place in a template.
                _ => return None,
            }
            at += 2;
        }
    }
    Some((String::from_utf8(text).ok()?, places))
}
