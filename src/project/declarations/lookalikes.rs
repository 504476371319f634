//! Names that are written as CUDA writes names, and that the project declares itself.
//!
//! A name that no table lists is CUDA's only where the project does not declare it, so that a
//! declaration is read generously here: one that is overlooked costs the user a false finding.

use crate::Context;
use torchada_mapping::Section;
use torchada_syntax::{DirectiveKind, ScopeKind, defined_names};

use super::DeclarationSite;

/// Whether a name looks like CUDA's and no table lists it.
pub(crate) fn is_one(context: Context<'_>, text: &[u8]) -> bool {
    // Almost no identifier starts like a CUDA name: ask that first.
    context
        .knowledge
        .families
        .of(text)
        .is_some_and(|family| family.undeclared)
        && context.row(Section::Names, text).is_none()
        && context.row(Section::Members, text).is_none()
}

/// The look-alikes that a build file defines for its compiler: `-DCUDA_BLOCK=64`.
pub(crate) fn defined_by_build(context: Context<'_>, text: &[u8]) -> Vec<Vec<u8>> {
    defined_names(text)
        .map(|name| name.of(text))
        .filter(|name| is_one(context, name))
        .map(<[u8]>::to_vec)
        .collect()
}

/// The tokens that can stand behind a declared name.
pub(super) const ENDS: &[&[u8]] = &[b";", b"=", b",", b"[", b"{", b"(", b")", b":"];

impl DeclarationSite<'_> {
    /// Whether the look-alike at `index` is declared there, in any way.
    pub(crate) fn declares_lookalike(&self, index: usize) -> bool {
        let introduces: &[&[u8]] = &[
            b"struct",
            b"class",
            b"union",
            b"enum",
            b"namespace",
            b"using",
            b"typename",
            b"concept",
            b"goto",
            b"unsigned",
            b"signed",
            b"long",
            b"short",
        ];
        introduces.contains(&self.before(index, 1))
            || self.is_nested_namespace(index)
            || self.declaration(index).is_some()
            || self.is_macro_or_parameter(index)
            || (self.follows_a_type(index) && ENDS.contains(&self.text(index + 1)))
            || self.is_further_declarator(index)
            || self.is_binding(index)
            || self.is_named_by_macro(index)
    }

    /// `namespace first::inline name {`
    fn is_nested_namespace(&self, index: usize) -> bool {
        let mut back = 1;
        loop {
            back += usize::from(self.before(index, back) == b"inline");
            if self.before(index, back) != b"::" {
                return back > 1 && self.before(index, back) == b"namespace";
            }
            back += 2;
        }
    }

    /// `#define name`, `#undef name`, `#define F(name)`; `#ifdef name`, because a name that the
    /// tree tests is a switch that its build may set.
    fn is_macro_or_parameter(&self, index: usize) -> bool {
        let Some(directive) = self.tokens.directive_of(index) else {
            return false;
        };
        let first = directive.tokens.start;
        match directive.kind {
            DirectiveKind::Undef => true,
            kind if kind.has_condition() => true,
            DirectiveKind::Define if index == first => true,
            DirectiveKind::Define => {
                let adjacent = self
                    .tokens
                    .get(first)
                    .zip(self.tokens.get(first + 1))
                    .is_some_and(|(name, open)| name.range().end == open.range().start);
                let close = (first..index).find(|&at| self.text(at) == b")");
                adjacent && self.text(first + 1) == b"(" && close.is_none()
            }
            _ => false,
        }
    }

    /// `auto [name, other] = …`
    fn is_binding(&self, index: usize) -> bool {
        let mut at = index;
        while self.before(at, 1) == b"," && at >= 2 {
            at -= 2;
        }
        self.before(at, 1) == b"["
            && (self.before(at, 2) == b"auto"
                || (matches!(self.before(at, 2), b"&" | b"&&") && self.before(at, 3) == b"auto"))
    }

    /// `DECLARE_CHOICE(CUDA_ORDER, (FIRST)(LAST))` outside of all functions: such a macro makes something of its first
    /// argument's name.
    fn is_named_by_macro(&self, index: usize) -> bool {
        let scope = self.outline.scope_of(index);
        let scope = scope.and_then(|at| self.outline.scopes.get(at));
        let is_outside = scope.is_none_or(|scope| scope.kind == ScopeKind::Namespace);
        let name = self.before(index, 2);
        let is_macro =
            name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
        let starts = index.checked_sub(3).is_none_or(|at| {
            let in_directive = self.tokens.get(at).is_none_or(|token| token.in_directive);
            in_directive || matches!(self.text(at), b";" | b"{" | b"}" | b")")
        });
        is_outside
            && is_macro
            && starts
            && self.before(index, 1) == b"("
            && matches!(self.text(index + 1), b"," | b")")
    }
}
