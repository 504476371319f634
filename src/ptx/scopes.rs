//! Which scopes of a file, by their braces, lie in which.

use torchada_syntax::{TokenKind, Tokens};

/// The scopes of a file. The first is the file's own.
#[derive(Debug)]
pub(super) struct Scopes {
    /// For each scope, the one that it lies in.
    outer: Vec<usize>,
    /// The tokens at which scopes begin and end, in their order, and the scope of what stands behind.
    changes: Vec<(usize, usize)>,
}

impl Scopes {
    pub(super) fn new(source: &[u8], tokens: &Tokens) -> Self {
        let (mut outer, mut changes) = (vec![0], Vec::new());
        let mut scope = 0;
        for (at, token) in tokens.tokens.iter().enumerate() {
            if token.kind != TokenKind::Punct {
                continue;
            }
            match token.text(source) {
                b"{" => {
                    outer.push(scope);
                    scope = outer.len() - 1;
                }
                b"}" => scope = outer.get(scope).copied().unwrap_or(0),
                _ => continue,
            }
            changes.push((at, scope));
        }
        Self { outer, changes }
    }

    /// Whether the scope of a token is one of those around another.
    pub(super) fn are_around(&self, token: usize, other: usize) -> bool {
        let (wanted, mut scope) = (self.of(token), self.of(other));
        // A scope comes behind the one that it lies in.
        while scope > wanted {
            scope = self.outer.get(scope).copied().unwrap_or(0);
        }
        scope == wanted
    }

    /// The scope of a token.
    fn of(&self, token: usize) -> usize {
        let before = self.changes.partition_point(|(at, _)| *at < token);
        let last = before.checked_sub(1).and_then(|at| self.changes.get(at));
        last.map_or(0, |(_, scope)| *scope)
    }
}
