//! The function around a statement.

use super::constants;
use super::source_file::SourceFile;
use torchada_syntax::opening_bracket;

/// The statement whose keyword is the token `keyword`.
#[derive(Clone, Copy)]
pub(crate) struct StatementPlace<'a> {
    pub(crate) file: &'a SourceFile<'a>,
    pub(crate) keyword: usize,
}

impl<'a> StatementPlace<'a> {
    fn word(&self, at: usize) -> &'a [u8] {
        self.file.word(at)
    }

    /// The `(` before the parameters of the function.
    pub(crate) fn parameters(&self) -> Option<usize> {
        let within = self.file.limits.declared_within;
        let from = self.keyword.saturating_sub(within).max(3);
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
    pub(crate) fn bound(&self) -> Option<i128> {
        if self.file.tokens.get(self.keyword)?.in_directive {
            return None;
        }
        let open = self.parameters()?;
        let from = open.saturating_sub(self.file.limits.declared_within);
        let head = (from..open).rev().take_while(|&at| {
            let is_code = self
                .file
                .tokens
                .get(at)
                .is_some_and(|one| !one.in_directive);
            is_code && !matches!(self.word(at), b";" | b"{" | b"}")
        });
        let head: Vec<usize> = head.collect();
        let word = |name: &[u8]| head.iter().copied().find(|&at| self.word(at) == name);
        word(b"__global__")?;
        let bounds = word(b"__launch_bounds__")?;
        constants::argument(self.file, bounds + 1)
    }
}
