//! What the project says with a `#define` of a CUDA name.

use std::ops::Range;

use crate::mapping::Section;
use crate::project::facts::{Declared, DeclaredAs};
use crate::syntax::{DirectiveKind, Token, TokenKind};
use crate::text::TextRange;

use super::Site;

impl Site<'_> {
    /// The macro that the directive around the name at `index` defines, if it defines this one.
    pub(super) fn macro_definition(&self, index: usize, token: Token) -> Option<Declared> {
        let directive = self.tokens.directive_of(index)?;
        if directive.kind != DirectiveKind::Define || directive.tokens.start != index {
            return None;
        }
        let mut body_start = index + 1;
        let adjacent = self
            .tokens
            .get(body_start)
            .is_some_and(|next| next.range().start == token.range().end);
        if self.text(body_start) == b"(" && adjacent {
            while body_start < directive.tokens.end && self.text(body_start) != b")" {
                body_start += 1;
            }
            body_start += 1;
        }
        let body = body_start.min(directive.tokens.end)..directive.tokens.end;
        if body.is_empty() {
            // A switch for CUDA's headers, such as `__CUDA_NO_HALF_OPERATORS__`.
            return None;
        }
        let is_version_of = |at: usize| {
            self.tables.get(Section::Names, self.text(at)).is_some()
                && self.text(at).starts_with(token.text(self.source))
        };
        if body.len() == 1 && is_version_of(body.start) {
            // CUDA's own header says `#define cuMemAlloc cuMemAlloc_v2`; so do copies of it.
            return None;
        }
        let what = self.macro_meaning(body.clone());
        Some(Declared {
            name: token.text(self.source).to_vec(),
            what,
            scope: Vec::new(),
            at: token.range(),
            reach: TextRange::new(0, self.source.len()),
            body: self
                .tokens
                .get(body.start)
                .map(|first| TextRange::new(first.range().start, directive.range.end)),
        })
    }

    /// What a macro with this body does to the name.
    fn macro_meaning(&self, body: Range<usize>) -> DeclaredAs {
        let first = self.tokens.get(body.start);
        let name = first
            .filter(|token| token.kind == TokenKind::Identifier)
            .map(|token| String::from_utf8_lossy(token.text(self.source)).into_owned());
        let Some(name) = name else {
            return DeclaredAs::Macro;
        };
        match self
            .knowledge
            .vendors
            .iter()
            .find(|vendor| vendor.owns_name(&name))
        {
            Some(vendor) if vendor.is_target() => DeclaredAs::Alias,
            Some(_) => DeclaredAs::VendorAlias,
            None => DeclaredAs::Macro,
        }
    }
}
