//! The instructions of inline assembly.

use std::borrow::Cow;

use super::CodeView;
use crate::mapping::Shapes;
use crate::syntax::TokenKind;

/// One statement of inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// The token index of the keyword.
    pub keyword: usize,
    /// One past its last token.
    pub end: usize,
    /// The instructions in order, each once, without predicates and operands.
    pub instructions: Vec<String>,
    /// Whether the text is put together by macros, so that the instructions are not all to be
    /// seen.
    pub incomplete: bool,
    /// Whether the text may hold an instruction of PTX although none could be made out.
    pub may_be_ptx: bool,
}

/// The statement whose keyword stands at `keyword`.
pub(super) fn at(view: &CodeView<'_>, keyword: usize) -> Option<Assembly> {
    let mut open = keyword + 1;
    while matches!(
        view.word(open),
        b"volatile" | b"__volatile__" | b"__volatile" | b"goto" | b"inline"
    ) {
        open += 1;
    }
    if view.word(open) != b"(" {
        return None;
    }
    let mut text = String::new();
    let mut incomplete = false;
    let (mut depth, mut at, mut in_template) = (0_usize, open, true);
    let end = loop {
        let Some(token) = view.token(at) else {
            break at;
        };
        match (token.kind, view.word(at)) {
            (_, b"(") => depth += 1,
            (_, b")") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break at + 1;
                }
            }
            (_, b":" | b"::") if depth == 1 => in_template = false,
            (TokenKind::String | TokenKind::RawString, literal) if in_template => {
                text.push_str(&unquoted(literal));
            }
            (TokenKind::Identifier | TokenKind::Placeholder, _) if in_template => {
                // A macro's text: it may end an instruction or be one.
                incomplete = true;
                text.push('\u{1}');
            }
            _ => {}
        }
        at += 1;
    };
    let instructions = instructions(&text);
    // A host's assembly has modifiers neither in its names nor behind them.
    let has_modifier = text
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'.', next] if next.is_ascii_lowercase()));
    Some(Assembly {
        keyword,
        end,
        may_be_ptx: has_modifier || incomplete && instructions.is_empty(),
        instructions,
        incomplete,
    })
}

/// A literal's text, its escapes of white space resolved.
fn unquoted(literal: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(literal);
    let Some(start) = text.find('"') else {
        return text;
    };
    let inner = text
        .get(start + 1..text.len().saturating_sub(1))
        .unwrap_or_default();
    Cow::Owned(inner.replace("\\n", "\n").replace("\\t", " "))
}

fn instructions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = String::new();
    // Comments of the assembler.
    for line in text.lines() {
        rest.push_str(line.split("//").next().unwrap_or_default());
        rest.push('\n');
    }
    for statement in rest.split([';', '{', '}', '\n']) {
        let mut words = statement.split_whitespace().peekable();
        // `@p`, `@!%p1`, `LABEL:`
        while words
            .peek()
            .is_some_and(|word| word.starts_with('@') || word.ends_with(':'))
        {
            words.next();
        }
        let Some(word) = words.next() else { continue };
        let word: String = word.chars().take_while(|c| *c != '\u{1}').collect();
        let word = word.trim_end_matches('.');
        let starts = word.starts_with(|c: char| c.is_ascii_lowercase());
        let known = word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':'));
        if starts && known && !found.iter().any(|one| one == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether an instruction is one that PTX has, with its types and modifiers behind dots. RISC-V's instructions have
/// dots, too, but other names, or modifiers of one letter.
pub(super) fn is_ptx(instruction: &str, shapes: &Shapes) -> bool {
    let listed = |words: &[String], word: &str| words.iter().any(|one| one == word);
    match instruction.split_once('.') {
        None => listed(&shapes.plain_instructions, instruction),
        Some((name, modifiers)) => {
            listed(&shapes.ptx_instructions, name)
                && modifiers.split('.').all(|modifier| modifier.len() != 1)
        }
    }
}
