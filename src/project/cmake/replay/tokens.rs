//! The words of a condition of `CMake`'s.

use torchada_syntax::cmake::{Cmake, Command, Quoting};
use torchada_text::TextRange;

/// A word of a condition, or a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    Open,
    Close,
    Word { text: &'t str, is_quoted: bool },
}

impl<'t> Token<'t> {
    /// The word, where it may be an operator.
    pub(super) fn operator(self) -> &'t str {
        match self {
            Self::Word {
                text,
                is_quoted: false,
            } => text,
            _ => "",
        }
    }
}

/// The words and parentheses of a condition; `None` where it can't be read.
pub(super) fn tokens<'t>(
    command: &Command,
    file: &Cmake,
    text: &'t [u8],
) -> Option<Vec<Token<'t>>> {
    let open = command.name.end
        + text
            .get(command.name.end..)?
            .iter()
            .position(|&b| b == b'(')?;
    let end = command.range.end.checked_sub(1)?;
    let mut tokens = Vec::new();
    let mut from = open + 1;
    let gap = |from: usize, to: usize, tokens: &mut Vec<Token<'t>>| {
        for at in from..to {
            let is_comment = || {
                let mut comments = file.comments.iter();
                comments.any(|comment: &TextRange| comment.contains(at))
            };
            match text.get(at) {
                Some(b'(') if !is_comment() => tokens.push(Token::Open),
                Some(b')') if !is_comment() => tokens.push(Token::Close),
                _ => {}
            }
        }
    };
    for argument in &command.arguments {
        gap(from, argument.range.start, &mut tokens);
        tokens.push(Token::Word {
            text: std::str::from_utf8(argument.inner.of(text)).ok()?,
            is_quoted: argument.quoting != Quoting::Bare,
        });
        from = argument.range.end;
    }
    gap(from, end, &mut tokens);
    Some(tokens)
}
