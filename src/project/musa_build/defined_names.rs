//! The functions and macros that a file of C++ defines.

use crate::scan::parsed::Parsed;
use torchada_syntax::{ScopeKind, TokenKind};
use torchada_text::TextRange;

/// What a name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Defined {
    Function,
    Macro,
}

/// A function or a macro that a file defines: its name, and where that stands.
pub(super) type Definition = (Defined, Vec<u8>, TextRange);

/// The functions of namespaces and the macros that a file defines.
pub(super) fn definitions(text: &[u8], parsed: &Parsed) -> Vec<Definition> {
    let tokens = &parsed.tokens;
    let mut found = Vec::new();
    for one in tokens.defines() {
        if let Some(name) = tokens.get(one.tokens.start) {
            found.push((Defined::Macro, name.text(text).to_vec(), name.range()));
        }
    }
    let outline = &parsed.outline;
    for scope in &outline.scopes {
        let mut around = std::iter::successors(scope.parent, |&at| outline.scopes.get(at)?.parent);
        let is_free = around.all(|at| {
            let kind = outline.scopes.get(at).map(|scope| scope.kind);
            matches!(kind, Some(ScopeKind::Namespace | ScopeKind::Linkage))
        });
        if scope.kind != ScopeKind::Function || !is_free || !scope.names.is_empty() {
            continue;
        }
        let open = parsed.parameters(text, scope.tokens.start);
        let name = open
            .and_then(|open| tokens.get(open.checked_sub(1)?))
            .filter(|token| token.kind == TokenKind::Identifier);
        if let Some(name) = name {
            found.push((Defined::Function, name.text(text).to_vec(), name.range()));
        }
    }
    found
}
