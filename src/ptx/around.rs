//! The function around a statement.

use super::constants;
use torchada_mapping::ptx::Limits;
use torchada_syntax::{TokenKind, Tokens, opening_bracket};

/// The statement whose keyword is the token `keyword`.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) limits: Limits,
    pub(super) source: &'a [u8],
    pub(super) tokens: &'a Tokens,
    pub(super) keyword: usize,
}

impl<'a> Around<'a> {
    fn word(&self, at: usize) -> &'a [u8] {
        self.tokens
            .get(at)
            .map_or(&b""[..], |token| token.text(self.source))
    }

    /// The `(` before the parameters of the function.
    pub(super) fn parameters(&self) -> Option<usize> {
        let from = self
            .keyword
            .saturating_sub(self.limits.declared_within)
            .max(3);
        let mut closed = 0_usize;
        for at in (from..self.keyword).rev() {
            match self.word(at) {
                b"}" => closed += 1,
                b"{" if closed > 0 => closed -= 1,
                b"{" if matches!(self.word(at - 1), b")" | b"const" | b"noexcept") => {
                    let open = opening_bracket(|at| self.word(at), from, at - 1)?;
                    // A block of a statement, or of a lambda, lies in another.
                    let is_inner = matches!(
                        self.word(open - 1),
                        b"if" | b"for" | b"while" | b"switch" | b"constexpr" | b"]" | b"catch"
                    );
                    if !is_inner {
                        return Some(open);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The most threads that a block of the kernel can have: the number in its `__launch_bounds__`, with which a launch
    /// of more threads fails.
    pub(super) fn bound(&self) -> Option<i128> {
        if self.tokens.get(self.keyword)?.in_directive {
            return None;
        }
        let open = self.parameters()?;
        let from = open.saturating_sub(self.limits.declared_within);
        let head = (from..open).rev().take_while(|&at| {
            let is_code = self.tokens.get(at).is_some_and(|one| !one.in_directive);
            is_code && !matches!(self.word(at), b";" | b"{" | b"}")
        });
        let head: Vec<usize> = head.collect();
        let word = |name: &[u8]| head.iter().copied().find(|&at| self.word(at) == name);
        word(b"__global__")?;
        let bounds = word(b"__launch_bounds__")?;
        constants::argument(self.limits, self.source, self.tokens, bounds + 1)
    }

    /// Whether a statement of this file comes to a barrier without waiting there.
    pub(super) fn has_arrivals(&self) -> bool {
        let strings = self.tokens.tokens.iter();
        strings
            .filter(|token| matches!(token.kind, TokenKind::String | TokenKind::RawString))
            .any(|token| arrives(token.text(self.source)))
    }
}

/// Whether text has `bar.arrive` or another form of it; `mbarrier` is something else.
fn arrives(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"bar").any(|at| {
        let rest = text.get(at + 3..).unwrap_or_default();
        let rest = rest.strip_prefix(b"rier").unwrap_or(rest);
        let rest = rest.strip_prefix(b".cta").unwrap_or(rest);
        let is_own = at == 0 || !text.get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
        is_own && rest.starts_with(b".arrive")
    })
}
