//! How Python text is built: a flat tree, scopes and what is bound in them, string literals, and
//! what takes a value. Knows nothing of CUDA's or MUSA's names.
//!
//! One pass over the grammar's tree copies what matters into an array; all questions are answered
//! from that array, on demand, without going through the grammar's tree again.

mod bind;
mod consumer;
mod kind;
mod lines;
mod outline;
mod records;
mod resolve;
mod ruff;
mod scope;
mod siblings;
mod string;
mod template;
#[cfg(test)]
mod tests;
mod tree;
mod usage;

use std::sync::OnceLock;

use crate::text::{TextRange, WordIndex};

pub use super::token::HOLE;
pub use consumer::{Consumer, Step, Use};
pub use kind::{Field, Kind};
pub use outline::{ClassHead, FunctionHead, Imported, Outline, Parameter};
pub use resolve::{Certainty, Dotted};
pub use scope::{Binding, ScopeId, ScopeKind, What};
pub use string::Literal;
pub use template::{fill_format, fill_percent};
pub use tree::{NodeId, Tree};

/// Where the two readers of Python make different trees of a text, by its offset in bytes; `None` where
/// they make the same, or where the text is left to the grammar anyway.
pub fn readings_part(text: &[u8]) -> Option<usize> {
    ruff::read(text)?;
    Tree::new(text)?.differs(&Tree::whole(text)?)
}

/// Whether a text is sound Python. Cheap; what another version of Python takes may count as unsound.
pub fn is_sound(text: &[u8]) -> bool {
    ruff::is_sound(text)
}

/// The string literals of Python text that are values: docstrings and other strings that stand
/// alone are left out, and so are those inside of others. `None` where the text can't be parsed.
pub fn values(text: &[u8]) -> Option<Vec<TextRange>> {
    let tree = Tree::new(text)?;
    let mut found = Vec::new();
    let mut end = 0;
    for node in tree.of(Kind::Str) {
        let range = tree.range(node);
        let above = tree.parent(node).map(|up| tree.kind(up));
        if range.start >= end && above != Some(Kind::ExpressionStatement) {
            found.push(range);
        }
        end = end.max(range.end);
    }
    Some(found)
}

/// How often a scope may bind a name: all bindings are looked at wherever the name is used.
const MOST_BINDINGS: usize = 2000;

/// A module of Python: its tree and its names.
#[derive(Debug)]
pub struct Module<'t> {
    /// The tree.
    pub tree: Tree<'t>,
    scopes: scope::Scopes<'t>,
    strings: OnceLock<Vec<NodeId>>,
    words: WordIndex,
    followed: resolve::Followed,
}

impl<'t> Module<'t> {
    /// Take a text apart. `None` where the grammar can't be loaded, where the text is too large for
    /// offsets of 32 bits, or where it is nested deeper, or binds a name more often, than anybody writes.
    pub fn new(text: &'t [u8]) -> Option<Self> {
        Tree::new(text).and_then(Self::of)
    }

    /// The same, with the grammar's tree in every case.
    pub fn by_grammar(text: &'t [u8]) -> Option<Self> {
        Tree::whole(text).and_then(Self::of)
    }

    fn of(tree: Tree<'t>) -> Option<Self> {
        let scopes = bind::scopes(&tree);
        if scopes.most_bindings() > MOST_BINDINGS {
            return None;
        }
        Some(Self {
            tree,
            scopes,
            strings: OnceLock::new(),
            words: WordIndex::default(),
            followed: resolve::Followed::default(),
        })
    }

    /// Whether a word stands somewhere in the text. Cheap where it does not.
    pub fn says(&self, word: &str) -> bool {
        self.words.says(self.tree.text(), word.as_bytes())
    }

    /// The string literals, in the order of the text; those that Python joins are one.
    pub fn strings(&self) -> &[NodeId] {
        let tree = &self.tree;
        let is_whole = |&node: &NodeId| match tree.kind(node) {
            Kind::ConcatenatedString => true,
            Kind::Str => tree
                .parent(node)
                .is_none_or(|up| tree.kind(up) != Kind::ConcatenatedString),
            _ => false,
        };
        self.strings
            .get_or_init(|| tree.nodes().filter(is_whole).collect())
    }
}
