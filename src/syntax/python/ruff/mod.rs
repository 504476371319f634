//! The same array from a parser that is made for Python alone, and ten times as fast.
//!
//! The grammar's tree stays the measure: whatever this parser does not take, and every construct
//! whose shape in the grammar's tree is not certain, is left to the grammar.
//! `--verify=full` compares the two with each other.

mod blocks;
mod calls;
mod compound;
mod expressions;
mod imports;
mod nesting;
mod operators;
mod patterns;
mod statements;
mod strings;
mod types;

use std::cell::Cell;

use ruff_python_ast::ModModule;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::Ranged;

use super::kind::{Field, Kind};
use super::records::{NodeRecord, Records};
use nesting::{nests_little, tokens_nest_little};
use torchada_text::TextRange;

/// The length in bytes from which on a text is parsed only where its tokens say that it nests little.
const LONG: usize = 1 << 20;

/// How many tokens around one count as near.
const NEAR: usize = 4;

/// The shape of the grammar's tree is not certain for this code.
pub(super) struct Unsupported;

type Lowering<T = ()> = Result<T, Unsupported>;

/// A tree's array and its comments.
pub(super) struct LoweredTree {
    pub(super) records: Vec<NodeRecord>,
    pub(super) comments: Vec<TextRange>,
}

/// The parser's tree of a text, sound or not; `None` where that is the grammar's business.
fn parse_any(text: &[u8]) -> Option<(&str, Parsed<ModModule>)> {
    if has_old_line_ends(text) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    if text.len() > LONG && !nests_little(text) {
        return None;
    }
    let options = ParseOptions::from(Mode::Module);
    let parsed = parse_unchecked(text, options).try_into_module()?;
    // A tree as deep as that can't be taken down on the stack: what is left of it stays in memory.
    if !tokens_nest_little(&parsed) {
        std::mem::forget(parsed);
        return None;
    }
    Some((text, parsed))
}

/// The parser's tree of a sound text.
fn parse(text: &[u8]) -> Option<(&str, Parsed<ModModule>)> {
    parse_any(text).filter(|(_, parsed)| parsed.errors().is_empty())
}

/// Whether a text is sound Python. Cheap; what another version of Python takes may count as unsound, and so does what
/// is for the grammar to say.
pub fn is_sound(text: &[u8]) -> bool {
    parse(text).is_some()
}

/// The first fault of a text that is no sound Python: its place, and what is wrong with it.
pub fn first_fault(text: &[u8]) -> Option<(usize, String)> {
    let (_, parsed) = parse_any(text)?;
    let fault = parsed.errors().first()?;
    Some((fault.location.start().to_usize(), fault.error.to_string()))
}

/// Whether lines end in a carriage return alone, as Python's own parser has it and the grammar has not.
fn has_old_line_ends(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
}

/// Take a text apart; `None` where that is the grammar's business.
pub(super) fn read(text: &[u8]) -> Option<LoweredTree> {
    let (text, parsed) = parse(text)?;
    let mut tokens = Vec::with_capacity(parsed.tokens().len());
    let mut comments = Vec::new();
    for token in parsed.tokens() {
        match token.kind() {
            // The grammar's comments end before the line feed.
            TokenKind::Comment => {
                let (start, end) = (start_of(token), end_of(token));
                let carriage = text.as_bytes().get(end..end + 2) == Some(b"\r\n");
                comments.push(TextRange::new(start, end + usize::from(carriage)));
            }
            TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::EndOfFile => {}
            _ => tokens.push(*token),
        }
    }
    let mut reader = Reader {
        text: text.as_bytes(),
        tokens,
        comments,
        last: Cell::new(0),
        comment: 0,
        records: Records::for_text(text.len()),
    };
    let start = reader.first_place();
    reader
        .records
        .open(Kind::Module, Field::Other, start, text.len(), false);
    reader.statements(parsed.suite()).ok()?;
    reader.records.close();
    Some(LoweredTree {
        records: reader.records.into_nodes(),
        comments: reader.comments,
    })
}

/// A token, with its place as numbers of bytes.
#[derive(Clone, Copy)]
struct RuffToken {
    kind: TokenKind,
    start: usize,
    end: usize,
}

impl RuffToken {
    fn new(token: &Token) -> Self {
        Self {
            kind: token.kind(),
            start: start_of(token),
            end: end_of(token),
        }
    }
}

/// Turns one text into the array.
struct Reader<'t> {
    text: &'t [u8],
    /// The tokens that are no white space and no comments.
    tokens: Vec<Token>,
    comments: Vec<TextRange>,
    /// The token that was looked for last: the next one most often stands near it.
    last: Cell<usize>,
    /// The first comment that no block has taken in.
    comment: usize,
    records: Records,
}

fn start_of(node: &impl Ranged) -> usize {
    node.start().to_usize()
}

fn end_of(node: &impl Ranged) -> usize {
    node.end().to_usize()
}

impl Reader<'_> {
    /// Where the first thing of the text stands.
    fn first_place(&self) -> usize {
        let token = self.tokens.first().map(start_of);
        let comment = self.comments.first().map(|comment| comment.start);
        match (token, comment) {
            (Some(token), Some(comment)) => token.min(comment),
            (token, comment) => token.or(comment).unwrap_or(self.text.len()),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The place in the list of the first token at or behind `at`.
    fn token_from(&self, at: usize) -> usize {
        let is_before = |index: usize| self.tokens.get(index).is_some_and(|one| start_of(one) < at);
        let last = self.last.get();
        let low = last.saturating_sub(NEAR);
        let found = if low > 0 && !is_before(low - 1) {
            let front = self.tokens.get(..low).unwrap_or_default();
            front.partition_point(|token| start_of(token) < at)
        } else if let Some(near) = (low..=last + NEAR).find(|&index| !is_before(index)) {
            near
        } else {
            let from = last + NEAR + 1;
            let rest = self.tokens.get(from..).unwrap_or_default();
            from + rest.partition_point(|token| start_of(token) < at)
        };
        self.last.set(found);
        found
    }

    fn token(&self, index: usize) -> Option<RuffToken> {
        self.tokens.get(index).map(RuffToken::new)
    }

    /// The first token of a kind at or behind `at`.
    fn find(&self, at: usize, kind: TokenKind) -> Lowering<RuffToken> {
        let from = self.token_from(at);
        let rest = self.tokens.get(from..).unwrap_or_default();
        rest.iter()
            .find(|token| token.kind() == kind)
            .map(RuffToken::new)
            .ok_or(Unsupported)
    }

    fn open(&mut self, kind: Kind, field: Field, start: usize, end: usize) {
        self.records.open(kind, field, start, end, false);
    }

    fn close(&mut self) {
        self.records.close();
    }

    fn leaf(&mut self, kind: Kind, field: Field, start: usize, end: usize) {
        self.records.leaf(kind, field, start, end);
    }

    /// Add the names of a path: `a.b`.
    fn dotted(&mut self, field: Field, start: usize, end: usize) -> Lowering {
        self.open(Kind::DottedName, field, start, end);
        let (mut at, last) = (self.token_from(start), self.token_from(end));
        while at < last {
            let token = self.token(at).ok_or(Unsupported)?;
            if token.kind != TokenKind::Dot {
                self.leaf(Kind::Identifier, Field::Other, token.start, token.end);
            }
            at += 1;
        }
        self.close();
        Ok(())
    }

    /// The parentheses around what stands from `start` to `end`, none of which opens before
    /// `low`; the outermost first.
    fn parentheses(&self, low: usize, start: usize, end: usize) -> Vec<(usize, usize)> {
        // Almost nothing has any: look at the bytes first.
        let mut before = start;
        while before > low && matches!(self.byte(before - 1), b' ' | b'\t') {
            before -= 1;
        }
        if before <= low || !matches!(self.byte(before - 1), b'(' | b'\n' | b'\r' | 0x0c) {
            return Vec::new();
        }
        let (mut left, mut right) = (self.token_from(start), self.token_from(end));
        let mut found = Vec::new();
        while let Some(open) = left.checked_sub(1).and_then(|at| self.token(at))
            && let Some(close) = self.token(right)
            && open.kind == TokenKind::Lpar
            && close.kind == TokenKind::Rpar
            && open.start >= low
        {
            found.push((open.start, close.end));
            left -= 1;
            right += 1;
        }
        found.reverse();
        found
    }

    /// Where something ends, with the parentheses around it.
    fn outer_end(&self, low: usize, node: &impl Ranged) -> usize {
        let around = self.parentheses(low, start_of(node), end_of(node));
        around.first().map_or(end_of(node), |(_, close)| *close)
    }

    /// Where something starts, with the parentheses around it.
    fn outer_start(&self, low: usize, node: &impl Ranged) -> usize {
        let around = self.parentheses(low, start_of(node), end_of(node));
        around.first().map_or(start_of(node), |(open, _)| *open)
    }
}
