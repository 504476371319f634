//! A module of Python: its tree and its names.

use std::sync::OnceLock;

use super::bind::scopes;
use super::dotted::Followed;
use super::kind::Kind;
use super::packed::PackedTree;
use super::records::NodeId;
use super::scope::Scopes;
use super::tree::Tree;
use crate::words::IdentifierIndex;
use torchada_text::contains;

/// A module of Python: its tree and its names.
#[derive(Debug)]
pub struct Module<'t> {
    /// The tree.
    pub tree: Tree<'t>,
    pub(super) scopes: Scopes<'t>,
    pub(super) strings: OnceLock<Vec<NodeId>>,
    names: OnceLock<IdentifierIndex<NodeId>>,
    /// Functions that give the module whose name they are called with.
    pub(super) importers: &'t [String],
    pub(super) followed: Followed,
}

impl<'t> Module<'t> {
    /// Take a text apart. `None` where the grammar can't be loaded, where the text is too large for
    /// offsets of 32 bits, or where it is nested deeper, or binds a name more often, than anybody writes.
    pub fn new(text: &'t [u8]) -> Option<Self> {
        Tree::new(text).and_then(Self::of)
    }

    /// Parse a module with the grammar, whatever its size.
    pub fn by_grammar(text: &'t [u8]) -> Option<Self> {
        Tree::whole(text).and_then(Self::of)
    }

    /// The module of a text whose tree was packed.
    pub fn unpacked(text: &'t [u8], packed: &PackedTree) -> Option<Self> {
        Tree::unpacked(text, packed).and_then(Self::of)
    }

    /// The module's tree in few bytes; `None` where the parser gave up anywhere.
    pub fn pack(&self) -> Option<PackedTree> {
        self.tree.pack()
    }

    fn of(tree: Tree<'t>) -> Option<Self> {
        let scopes = scopes(&tree);
        if scopes.most_bindings() > MOST_BINDINGS {
            return None;
        }
        Some(Self {
            tree,
            scopes,
            strings: OnceLock::new(),
            names: OnceLock::new(),
            importers: &[],
            followed: Followed::default(),
        })
    }

    /// This module, where a call of one of the functions with these dotted names gives the module that the call names.
    #[must_use]
    pub fn with_importers(self, importers: &'t [String]) -> Self {
        Self { importers, ..self }
    }

    /// Whether the text contains a word, by itself or as a part of another one.
    pub fn contains(&self, word: &str) -> bool {
        contains(self.tree.text(), word)
    }

    /// The places where a name stands as an identifier, in the order of the text.
    pub fn places_of(&self, name: &[u8]) -> &[NodeId] {
        let tree = &self.tree;
        let text_of = |node| tree.word(node);
        let names = self.names.get_or_init(|| {
            let identifiers = tree.of(Kind::Identifier);
            IdentifierIndex::new(identifiers, text_of)
        });
        names.places(name, text_of)
    }

    /// The string literals, in the order of the text; those that Python joins are one.
    pub fn strings(&self) -> &[NodeId] {
        let tree = &self.tree;
        // A string that Python joins with others is a part of the whole.
        let is_whole = |&node: &NodeId| {
            let parent = tree.parent(node).map(|up| tree.kind(up));
            parent != Some(Kind::ConcatenatedString)
        };
        self.strings.get_or_init(|| {
            let strings = tree.of_any(&[Kind::ConcatenatedString, Kind::Str]);
            strings.filter(is_whole).collect()
        })
    }
}

/// How often a scope may bind a name: all bindings are looked at wherever the name is used.
const MOST_BINDINGS: usize = 2000;
