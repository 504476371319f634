//! The trees of a project's modules, made when somebody asks for one.
//!
//! A tree takes some ten times the memory of its text, and most trees are needed by one translation and
//! a few others soon after. So only the latest are kept, and an older one is parsed again when it is needed.

use std::fmt;
use std::sync::{Arc, OnceLock};

use elsa::FrozenMap;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use rustc_hash::FxHashMap;

use super::ModuleIndex;
use super::looks::Looks;
use crate::Project;
use torchada_syntax::python::{Kind, Module, NodeId};

/// The bytes of the texts whose trees are kept.
const KEPT: u64 = 4 << 20;

/// About how many modules that are.
const MODULES: usize = 1024;

/// A source of trees.
pub trait TreeSource {
    /// The tree of a file.
    fn module(&self, file: usize) -> Option<&Module<'_>>;

    /// The places where a name stands in a file as an identifier, in order.
    fn places_of(&self, file: usize, name: &[u8]) -> &[NodeId];
}

/// What holds trees for translations.
pub trait HoldTrees: Sync {
    /// A source of trees for one translation.
    fn hold(&self) -> Box<dyn TreeSource + '_>;
}

/// The trees of a project's modules.
#[derive(Debug)]
pub struct Trees<'p> {
    project: &'p Project,
    by_grammar: bool,
    importers: &'p [String],
    kept: Cache<usize, Arc<Option<ParsedModule<'p>>>, BySize>,
}

/// The trees of modules of which one was edited.
#[derive(Debug)]
pub struct EditedTrees<'s, 'e, 'p> {
    saved: &'s Trees<'p>,
    at: usize,
    own: Option<ParsedModule<'e>>,
    looks: Looks,
}

/// The same, for one translation.
#[derive(Debug)]
struct EditedPinned<'s, 'e, 'p> {
    saved: PinnedTrees<'s, 'p>,
    at: usize,
    own: Option<&'s ParsedModule<'e>>,
    looks: &'s Looks,
}

/// The trees that one translation uses. They stay in memory until the translation ends.
pub struct PinnedTrees<'c, 'p> {
    trees: &'c Trees<'p>,
    pinned: FrozenMap<usize, Arc<Option<ParsedModule<'p>>>>,
}

impl fmt::Debug for PinnedTrees<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PinnedTrees({} trees)", self.pinned.len())
    }
}

/// A module that was parsed.
#[derive(Debug)]
struct ParsedModule<'p> {
    size: usize,
    module: Module<'p>,
    names: OnceLock<NameIndex<'p>>,
}

/// Where the names of a module stand as identifiers.
#[derive(Debug)]
struct NameIndex<'p> {
    /// The number of each name.
    numbers: FxHashMap<&'p [u8], u32>,
    /// The places, those of one name together.
    places: Vec<NodeId>,
    /// Where those of each name start in the list, and where the last ones end.
    starts: Vec<u32>,
}

impl<'p> NameIndex<'p> {
    fn of(module: &Module<'p>) -> Self {
        let tree = &module.tree;
        let mut numbers: FxHashMap<&'p [u8], u32> = FxHashMap::default();
        let mut starts: Vec<u32> = vec![0];
        let mut named: Vec<(NodeId, u32)> = Vec::new();
        for node in tree.of(Kind::Identifier) {
            let next = numbers.len() as u32;
            let number = *numbers.entry(tree.word(node)).or_insert(next);
            if number == next {
                starts.push(0);
            }
            if let Some(count) = starts.get_mut(number as usize + 1) {
                *count += 1;
            }
            named.push((node, number));
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut places: Vec<NodeId> = named.iter().map(|&(node, _)| node).collect();
        for (node, number) in named {
            if let Some(at) = next.get_mut(number as usize) {
                if let Some(place) = places.get_mut(*at as usize) {
                    *place = node;
                }
                *at += 1;
            }
        }
        Self {
            numbers,
            places,
            starts,
        }
    }

    fn places_of(&self, name: &[u8]) -> &[NodeId] {
        let place = |number: &u32| {
            let at = *number as usize;
            let (start, end) = (*self.starts.get(at)?, *self.starts.get(at + 1)?);
            self.places.get(start as usize..end as usize)
        };
        self.numbers.get(name).and_then(place).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
struct BySize;

impl Weighter<usize, Arc<Option<ParsedModule<'_>>>> for BySize {
    fn weight(&self, _: &usize, parsed: &Arc<Option<ParsedModule<'_>>>) -> u64 {
        // Nothing is free, or it would be kept for ever.
        let size = parsed.as_ref().as_ref().map_or(0, |parsed| parsed.size);
        u64::try_from(size).unwrap_or(u64::MAX).max(1)
    }
}

impl<'p> Trees<'p> {
    /// Trees for these modules, none of which is parsed yet. `by_grammar` says whether the grammar reads all of them,
    /// and `importers` are the functions that give the module whose name they are called with.
    pub fn new(modules: &ModuleIndex<'p>, by_grammar: bool, importers: &'p [String]) -> Self {
        Self {
            project: modules.project,
            by_grammar,
            importers,
            kept: Cache::with_weighter(MODULES, KEPT, BySize),
        }
    }

    fn pinned(&self) -> PinnedTrees<'_, 'p> {
        PinnedTrees {
            trees: self,
            pinned: FrozenMap::new(),
        }
    }

    fn parsed(&self, at: usize) -> Option<Arc<Option<ParsedModule<'p>>>> {
        let text = self
            .project
            .files
            .get(at)?
            .python_text()
            .unwrap_or_default();
        let parse = || {
            let parsed = ParsedModule::of(text, self.by_grammar, self.importers);
            Ok(Arc::new(parsed))
        };
        let found: Result<_, std::convert::Infallible> = self.kept.get_or_insert_with(&at, parse);
        found.ok()
    }
}

impl HoldTrees for Trees<'_> {
    fn hold(&self) -> Box<dyn TreeSource + '_> {
        Box::new(self.pinned())
    }
}

impl<'s, 'e, 'p> EditedTrees<'s, 'e, 'p> {
    /// The trees of `modules`, of which the one at `at` has another text than in `saved`.
    pub fn new(saved: &'s Trees<'p>, modules: &ModuleIndex<'e>, at: usize) -> Self
    where
        'p: 'e,
    {
        let text = modules.text(at);
        let own = ParsedModule::of(text, saved.by_grammar, saved.importers);
        let looks = modules.looks.clone();
        Self {
            saved,
            at,
            own,
            looks,
        }
    }
}

impl HoldTrees for EditedTrees<'_, '_, '_> {
    fn hold(&self) -> Box<dyn TreeSource + '_> {
        Box::new(EditedPinned {
            saved: self.saved.pinned(),
            at: self.at,
            own: self.own.as_ref(),
            looks: &self.looks,
        })
    }
}

impl TreeSource for EditedPinned<'_, '_, '_> {
    fn module(&self, file: usize) -> Option<&Module<'_>> {
        self.looks.note(file);
        if file == self.at {
            self.own.map(|own| &own.module)
        } else {
            self.saved.module(file)
        }
    }

    fn places_of(&self, file: usize, name: &[u8]) -> &[NodeId] {
        self.looks.note(file);
        if file == self.at {
            self.own.map_or(&[], |own| own.places_of(name))
        } else {
            self.saved.places_of(file, name)
        }
    }
}

impl<'p> ParsedModule<'p> {
    fn of(text: &'p [u8], by_grammar: bool, importers: &'p [String]) -> Option<Self> {
        let module = if by_grammar {
            Module::by_grammar(text)
        } else {
            Module::new(text)
        };
        module.map(|module| Self {
            size: text.len(),
            module: module.with_importers(importers),
            names: OnceLock::new(),
        })
    }

    fn places_of(&self, name: &[u8]) -> &[NodeId] {
        let names = self.names.get_or_init(|| NameIndex::of(&self.module));
        names.places_of(name)
    }
}

impl<'p> PinnedTrees<'_, 'p> {
    fn parsed(&self, at: usize) -> Option<&ParsedModule<'p>> {
        let pinned = match self.pinned.get(&at) {
            Some(pinned) => pinned,
            None => self.pinned.insert(at, self.trees.parsed(at)?),
        };
        pinned.as_ref()
    }
}

impl TreeSource for PinnedTrees<'_, '_> {
    fn module(&self, file: usize) -> Option<&Module<'_>> {
        self.parsed(file).map(|parsed| &parsed.module)
    }

    fn places_of(&self, file: usize, name: &[u8]) -> &[NodeId] {
        self.parsed(file)
            .map_or(&[], |parsed| parsed.places_of(name))
    }
}
