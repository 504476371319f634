//! The namespaces that a file declares, opens by `using namespace`, or gives an alias.

use crate::facts::FileFacts;
use torchada_mapping::{Section, Tables};
use torchada_syntax::{ScopeKind, TokenKind};

use super::Parsed;

/// Note what a file says of namespaces: those that it opens, `using namespace`, aliases, and what
/// it declares inside a namespace of the tables.
pub(super) fn gather(source: &[u8], parsed: &Parsed, tables: &Tables, facts: &mut FileFacts) {
    let tokens = &parsed.tokens;
    let join = |names: &[&[u8]]| String::from_utf8_lossy(&names.join(&b"::"[..])).into_owned();
    let path_from = |mut at: usize| {
        let mut names: Vec<&[u8]> = Vec::new();
        while let Some(token) = tokens.get(at) {
            match (token.kind, token.text(source)) {
                (TokenKind::Identifier, name) => names.push(name),
                (_, b"::") => {}
                _ => break,
            }
            at += 1;
        }
        join(&names)
    };
    for index in tokens.places(source, b"namespace") {
        if index > 0 && tokens.is(index - 1, source, "using") {
            facts.usings.push(path_from(index + 1));
        } else if tokens.is(index + 2, source, "=") {
            let alias = tokens.get(index + 1).map(|token| token.text(source));
            let alias = String::from_utf8_lossy(alias.unwrap_or_default()).into_owned();
            facts.namespace_aliases.push((alias, path_from(index + 3)));
        }
    }
    for scope in &parsed.outline.scopes {
        if scope.kind != ScopeKind::Namespace {
            continue;
        }
        let inside = scope.tokens.start + 1;
        let names = parsed.outline.path_of(inside);
        let path = join(&names);
        if path.is_empty() {
            continue;
        }
        // `namespace a::cuda::b` opens `a::cuda`, too.
        let around = parsed.outline.path_of(scope.tokens.start).len();
        let between = (around + 1..names.len()).filter_map(|len| names.get(..len));
        facts.namespaces.extend(between.map(join));
        if tables.get(Section::Namespaces, path.as_bytes()).is_some() {
            let declared = (inside..scope.tokens.end)
                .filter(|&index| parsed.outline.scope_of(index) == parsed.outline.scope_of(inside))
                .filter(|&index| {
                    tokens
                        .get(index)
                        .is_some_and(|t| t.kind == TokenKind::Identifier)
                        && ["(", "{", ";", "=", ":"]
                            .iter()
                            .any(|p| tokens.is(index + 1, source, p))
                })
                .filter_map(|index| tokens.get(index))
                .map(|token| String::from_utf8_lossy(token.text(source)).into_owned());
            facts.extensions.extend(declared);
        }
        facts.namespaces.push(path);
    }
}
