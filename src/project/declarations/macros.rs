//! What a `#define` of a CUDA name by the project means for that name.

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::facts::{DeclaredAs, OwnDeclaration};
use torchada_mapping::Section;
use torchada_syntax::{Directive, DirectiveKind, Macro, Token, TokenKind, Tokens, Truth, evaluate};
use torchada_text::TextRange;

use super::DeclarationSite;

/// The places where macros end, by their names: each definition looks its end up.
#[derive(Default)]
pub(crate) struct Undefs(OnceCell<FxHashMap<Vec<u8>, Vec<usize>>>);

impl Undefs {
    /// The offsets of the `#undef`s of a name, in order.
    fn of(&self, source: &[u8], tokens: &Tokens, name: &[u8]) -> &[usize] {
        let all = self.0.get_or_init(|| {
            let mut all: FxHashMap<Vec<u8>, Vec<usize>> = FxHashMap::default();
            for one in &tokens.directives {
                if one.kind == DirectiveKind::Undef
                    && let Some(name) = tokens.get(one.tokens.start)
                {
                    let places = all.entry(name.text(source).to_vec()).or_default();
                    places.push(one.range.start);
                }
            }
            all
        });
        all.get(name).map_or(&[], Vec::as_slice)
    }
}

impl DeclarationSite<'_> {
    /// The macro that the directive around the name at `index` defines, if it defines this one.
    pub(super) fn macro_definition(&self, index: usize, token: Token) -> Option<OwnDeclaration> {
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
        Some(OwnDeclaration {
            name: token.text(self.source).to_vec(),
            what,
            scope: Vec::new(),
            at: token.range(),
            reach: self.macro_reach(directive, token),
            body: self
                .tokens
                .get(body.start)
                .map(|first| TextRange::new(first.range().start, directive.range.end)),
        })
    }

    /// From the definition to the `#undef` that ends it, or to the end of the file.
    fn macro_reach(&self, define: &Directive, name: Token) -> TextRange {
        let start = name.range().start;
        let text = name.text(self.source);
        let undefs = self.undefs.of(self.source, self.tokens, text);
        let behind = undefs.partition_point(|&at| at <= define.range.start);
        let mut later = undefs.iter().copied().skip(behind);
        let undef = later.find(|&at| self.surely_follows(start, at, text));
        let end = undef.unwrap_or(self.source.len());
        TextRange::new(start, end.max(start))
    }

    /// Whether the directive at `later` is compiled wherever the definition of `name` at `define`
    /// is: each branch around it holds the definition, too, or asks for just that macro.
    fn surely_follows(&self, define: usize, later: usize, name: &[u8]) -> bool {
        self.conditionals.around(later).all(|(conditional, at)| {
            let Some(branch) = conditional.branches.get(at) else {
                return false;
            };
            let asks = || {
                let directive = self.tokens.directives.get(branch.directive);
                directive.is_some_and(|directive| {
                    let known = |other: &[u8]| Macro::from((other == name).then_some(true));
                    evaluate(self.source, self.tokens, directive, &known) == Truth::True
                })
            };
            branch.body.contains(define) || (at == 0 && asks())
        })
    }

    /// The meaning that a macro with this body gives to the name.
    fn macro_meaning(&self, body: Range<usize>) -> DeclaredAs {
        let text = |at: usize| self.tokens.get(at).map(|token| token.text(self.source));
        let parentheses = body
            .clone()
            .take_while(|&at| text(at) == Some(b"("))
            .count();
        let at = body.start + parentheses;
        // `(musaX)` is the name alone, too.
        let is_alone = body
            .clone()
            .skip(parentheses + 1)
            .all(|at| text(at) == Some(b")"));
        let first = (parentheses == 0 || is_alone).then_some(at);
        let name = first
            .and_then(|at| self.tokens.get(at))
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
