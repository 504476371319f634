//! The trees of a project's modules, made when somebody asks for one, each once.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::Modules;
use crate::syntax::python::{Kind, Module, NodeId};

/// Where trees come from.
pub trait TreeSource: Sync {
    /// The tree of a file.
    fn module(&self, file: usize) -> Option<&Module<'_>>;

    /// Where a name stands in a file as an identifier, by place.
    fn places_of(&self, file: usize, name: &[u8]) -> &[NodeId];
}

/// The trees of a project's modules.
#[derive(Debug)]
pub struct Trees<'p> {
    texts: Vec<&'p [u8]>,
    by_grammar: bool,
    parsed: Vec<OnceLock<Option<Parsed<'p>>>>,
}

/// A module that was parsed.
#[derive(Debug)]
struct Parsed<'p> {
    module: Module<'p>,
    names: OnceLock<FxHashMap<&'p [u8], Vec<NodeId>>>,
}

impl<'p> Trees<'p> {
    /// None is made yet. `by_grammar` says whether the grammar reads all of them.
    pub fn new(modules: &Modules<'p>, by_grammar: bool) -> Self {
        let texts: Vec<&'p [u8]> = (0..modules.files.len())
            .map(|at| modules.text(at))
            .collect();
        let parsed = texts.iter().map(|_| OnceLock::new()).collect();
        Self {
            texts,
            by_grammar,
            parsed,
        }
    }

    fn parsed(&self, at: usize) -> Option<&Parsed<'p>> {
        let text = self.texts.get(at).copied()?;
        let parse = || {
            Some(Parsed {
                module: if self.by_grammar {
                    Module::by_grammar(text)?
                } else {
                    Module::new(text)?
                },
                names: OnceLock::new(),
            })
        };
        self.parsed.get(at)?.get_or_init(parse).as_ref()
    }
}

impl TreeSource for Trees<'_> {
    fn module(&self, file: usize) -> Option<&Module<'_>> {
        self.parsed(file).map(|parsed| &parsed.module)
    }

    fn places_of(&self, file: usize, name: &[u8]) -> &[NodeId] {
        let Some(parsed) = self.parsed(file) else {
            return &[];
        };
        let tree = &parsed.module.tree;
        let names = parsed.names.get_or_init(|| {
            let mut names: FxHashMap<&[u8], Vec<NodeId>> = FxHashMap::default();
            for node in tree.nodes() {
                if tree.kind(node) == Kind::Identifier {
                    names.entry(tree.word(node)).or_default().push(node);
                }
            }
            names
        });
        names.get(name).map_or(&[], Vec::as_slice)
    }
}
