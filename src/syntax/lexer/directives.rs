//! Where a preprocessing directive begins and ends.

use super::{Lexer, OpenDirective, is_identifier_part};
use crate::token::{Directive, DirectiveKind};
use torchada_text::TextRange;

impl Lexer<'_> {
    /// Begin the directive at the `#` here.
    pub(super) fn open_directive(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.splice_len() > 0 => self.at += self.splice_len(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                _ => break,
            }
        }
        let name_start = self.at;
        while is_identifier_part(self.peek(0)) {
            self.at += 1;
        }
        let name = self.source.get(name_start..self.at).unwrap_or_default();
        let kind = DirectiveKind::of(name);
        self.directive = Some(OpenDirective {
            kind,
            start,
            first_token: self.out.tokens.len(),
        });
        if kind == DirectiveKind::Message {
            self.line_comment();
        }
    }

    /// End the open directive, if there is one.
    pub(super) fn close_directive(&mut self) {
        if let Some(open) = self.directive.take() {
            let line_end = self.at.min(self.source.len());
            let carriage = line_end > open.start && self.source.get(line_end - 1) == Some(&b'\r');
            self.out.directives.push(Directive {
                kind: open.kind,
                range: TextRange::new(open.start, line_end - usize::from(carriage)),
                tokens: open.first_token..self.out.tokens.len(),
            });
        }
    }

    /// Whether a quote or `<` here opens a header's name.
    pub(super) fn expects_header_name(&self) -> bool {
        let Some(open) = &self.directive else {
            return false;
        };
        let tokens = &self.out.tokens;
        match open.kind {
            DirectiveKind::Include => tokens.len() == open.first_token,
            DirectiveKind::If | DirectiveKind::Elif => {
                let [.., callee, paren] = tokens.as_slice() else {
                    return false;
                };
                paren.is(self.source, "(")
                    && (callee.is(self.source, "__has_include")
                        || callee.is(self.source, "__has_include_next"))
            }
            _ => false,
        }
    }
}
