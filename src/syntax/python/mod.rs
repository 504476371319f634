//! How Python text is built: a flat tree, scopes and what is bound in them, string literals, and
//! what takes a value. Knows nothing of CUDA's or MUSA's names.
//!
//! One pass over the grammar's tree copies what matters into an array; all questions are answered
//! from that array, on demand, without going through the grammar's tree again.

mod bind;
mod climb;
mod consumer;
mod kind;
mod lines;
mod outline;
mod resolve;
mod scope;
mod siblings;
mod string;
mod template;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::OnceLock;

pub use super::token::HOLE;
pub use consumer::{Consumer, Step, Use};
pub use kind::{Field, Kind};
pub use outline::{ClassHead, FunctionHead, Imported, Outline, Parameter};
pub use resolve::{Certainty, Dotted};
pub use scope::{Binding, ScopeId, ScopeKind, What};
pub use string::Literal;
pub use template::{fill_format, fill_percent};
pub use tree::{NodeId, Tree};

/// How often a scope may bind a name: all bindings are looked at wherever the name is used.
const MOST_BINDINGS: usize = 2000;

/// A module of Python: its tree and its names.
#[derive(Debug)]
pub struct Module<'t> {
    /// The tree.
    pub tree: Tree<'t>,
    scopes: scope::Scopes<'t>,
    strings: OnceLock<Vec<NodeId>>,
}

impl<'t> Module<'t> {
    /// Take a text apart. `None` where the grammar can't be loaded, where the text is too large for
    /// offsets of 32 bits, or where it is nested deeper, or binds a name more often, than anybody writes.
    pub fn new(text: &'t [u8]) -> Option<Self> {
        let tree = Tree::new(text)?;
        let scopes = bind::scopes(&tree);
        if scopes.most_bindings() > MOST_BINDINGS {
            return None;
        }
        Some(Self {
            tree,
            scopes,
            strings: OnceLock::new(),
        })
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
