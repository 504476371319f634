//! The parts of an `asm` statement, as the tokens of C++ have them.

use std::ops::Range;

use super::pieces::{Piece, directives_between, pieces, string_literal};
use crate::{Directive, DirectiveKind, TokenKind, Tokens, arguments};
use torchada_text::TextRange;

/// Whether code is a keyword that opens inline assembly.
pub fn is_asm_keyword(code: &[u8]) -> bool {
    matches!(code, b"asm" | b"__asm__" | b"__asm")
}

/// An operand of the statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmOperand {
    /// `name` of `[name] "r"(x)`.
    pub name: Option<String>,
    /// The constraint without quotes: `=r`, `+l`, `n`; or the name of the macro that stands for it.
    pub constraint: String,
    /// The expression between the brackets.
    pub expression: TextRange,
    /// The tokens of that expression.
    pub tokens: Range<usize>,
}

/// An `asm` statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmStatement {
    /// The token index of the keyword.
    pub keyword: usize,
    /// One past the token index of the closing bracket.
    pub end: usize,
    /// Whether it can jump to labels of C++.
    pub jumps: bool,
    /// The template's pieces in order.
    pub template: Vec<Piece>,
    /// What the statement writes.
    pub outputs: Vec<AsmOperand>,
    /// What it reads.
    pub inputs: Vec<AsmOperand>,
    /// What it destroys, such as `memory`.
    pub clobbers: Vec<String>,
    /// The first token that the reader of statements can't assign to a part of the statement, if there is one.
    pub stops_at: Option<usize>,
}

/// The tokens between the parentheses of a statement, split at its colons: template, outputs, inputs, clobbers, labels.
struct Sections {
    ranges: Vec<Range<usize>>,
    /// The token behind the closing parenthesis.
    end: usize,
    /// Whether the text has that parenthesis.
    is_closed: bool,
}

impl Sections {
    /// Of the statement whose parenthesis opens at the token `open`.
    fn of(source: &[u8], tokens: &Tokens, open: usize) -> Option<Self> {
        let empty = |at: usize| at..at;
        let mut ranges = vec![empty(open + 1)];
        let (mut depth, mut at) = (0_usize, open);
        let in_directive = tokens.get(open)?.in_directive;
        let (end, is_closed) = loop {
            let Some(token) = tokens.get(at) else {
                break (at, false);
            };
            // The condition of an `#if` inside is no part of the statement.
            if token.in_directive != in_directive {
                at += 1;
                continue;
            }
            match token.text(source) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        break (at + 1, true);
                    }
                }
                colons @ (b":" | b"::") if depth == 1 => {
                    for _ in 0..colons.len() {
                        ranges.push(empty(at + 1));
                    }
                    at += 1;
                    continue;
                }
                _ => {}
            }
            if depth > 0 && at > open {
                ranges.last_mut()?.end = at + 1;
            }
            at += 1;
        };
        Some(Self {
            ranges,
            end,
            is_closed,
        })
    }
}

impl AsmStatement {
    /// The statement whose keyword stands at the token `keyword`; `None` where that is no statement.
    pub fn at(source: &[u8], tokens: &Tokens, keyword: usize) -> Option<Self> {
        let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.text(source));
        // `#define asm(x)` gives a macro that name.
        let names_a_macro = |directive: &Directive| {
            directive.kind == DirectiveKind::Define && directive.tokens.start == keyword
        };
        if tokens.directive_of(keyword).is_some_and(names_a_macro) {
            return None;
        }
        let mut open = keyword + 1;
        let mut jumps = false;
        loop {
            match word(open) {
                b"goto" => jumps = true,
                b"volatile" | b"__volatile__" | b"__volatile" | b"inline" | b"__inline__" => {}
                _ => break,
            }
            open += 1;
        }
        if word(open) != b"(" {
            return None;
        }
        let Sections {
            ranges,
            end,
            is_closed,
        } = Sections::of(source, tokens, open)?;
        let mut stops_at = (!is_closed).then_some(keyword);
        let mut sections = ranges.into_iter();
        let template_tokens = sections.next()?;
        let choices = directives_between(tokens, open..end - 1);
        let mut fails = |at: usize| {
            stops_at.get_or_insert(at);
        };
        let template = pieces(source, tokens, template_tokens, choices, &mut fails);
        let mut operands = || {
            let section = sections.next().unwrap_or(0..0);
            operands(source, tokens, section, &mut fails)
        };
        let (outputs, inputs) = (operands(), operands());
        let clobbers = sections.next().unwrap_or(0..0);
        let clobbers = clobbers
            .filter_map(|at| {
                let token = tokens.get(at)?;
                (token.kind == TokenKind::String).then(|| string_literal(source, token.range()))?
            })
            .map(|(text, _)| text)
            .collect();
        Some(Self {
            keyword,
            end,
            jumps,
            template,
            outputs,
            inputs,
            clobbers,
            stops_at,
        })
    }

    /// All operands in the order in which `%0`, `%1`, … number them.
    pub fn operands(&self) -> impl Iterator<Item = &AsmOperand> {
        self.outputs.iter().chain(&self.inputs)
    }

    /// The index of the operand that has a name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.operands()
            .position(|operand| operand.name.as_deref() == Some(name))
    }
}

/// `[name] "constraint"(expression), …`, up to the token for which `fails` is called.
fn operands(
    source: &[u8],
    tokens: &Tokens,
    range: Range<usize>,
    fails: &mut dyn FnMut(usize),
) -> Vec<AsmOperand> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let one = operand(source, tokens, at);
        let Some((one, next)) = one.filter(|(_, next)| {
            *next == range.end || *next < range.end && tokens.is(*next, source, ",")
        }) else {
            fails(at);
            break;
        };
        found.push(one);
        at = next + 1;
    }
    found
}

/// The operand whose first token stands at `at`, and the token behind it.
fn operand(source: &[u8], tokens: &Tokens, mut at: usize) -> Option<(AsmOperand, usize)> {
    let mut name = None;
    if tokens.is(at, source, "[") {
        let token = tokens.get(at + 1)?;
        name = Some(String::from_utf8_lossy(token.text(source)).into_owned());
        at += 3;
    }
    let token = tokens.get(at)?;
    let constraint = match token.kind {
        TokenKind::String => string_literal(source, token.range())?.0,
        TokenKind::Identifier => String::from_utf8_lossy(token.text(source)).into_owned(),
        _ => return None,
    };
    let close = arguments(source, tokens, at + 1)?.last()?.end;
    let inside = at + 2..close;
    if inside.is_empty() {
        return None;
    }
    let expression = TextRange::new(
        tokens.get(inside.start)?.range().start,
        tokens.get(close - 1)?.range().end,
    );
    let operand = AsmOperand {
        name,
        constraint,
        expression,
        tokens: inside,
    };
    Some((operand, close + 1))
}
