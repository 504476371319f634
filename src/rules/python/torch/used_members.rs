//! The members of other modules that the code of a module uses, by which an import goes or stays.

use super::names::{Verdict, verdict};
use crate::python::ModuleView;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use torchada_diagnostic::codes::python::STANDS_IN;
use torchada_syntax::python::{Field, Kind, NodeId};

/// A name that an import binds, and the module that the name is bound to.
type Bound = (Vec<u8>, String);

/// The members of other modules that the code uses: dotted names, each with the node of its attribute.
pub(super) struct UsedMembers {
    /// All of them, sorted by name.
    all: Vec<(String, NodeId)>,
    /// The members of each word before the dot, sorted by name.
    of_word: FxHashMap<Vec<u8>, Vec<(String, NodeId)>>,
    /// For each module that was looked up, whether all of its members that the code uses stay.
    staying: RefCell<FxHashMap<String, bool>>,
    /// The first used member that the counterpart of a module lacks, by the module and the name that it is bound to.
    lacking: RefCell<FxHashMap<Bound, Option<String>>>,
}

impl UsedMembers {
    pub(super) fn new(unit: &ModuleView<'_>) -> Self {
        let tree = &unit.module.tree;
        let members = tree.of(Kind::Attribute);
        let members = members.filter_map(|node| Some((unit.module.resolve(node)?.name, node)));
        let mut all: Vec<(String, NodeId)> = members.collect();
        all.sort_unstable();
        let mut of_word: FxHashMap<Vec<u8>, Vec<(String, NodeId)>> = FxHashMap::default();
        for (name, node) in &all {
            let object = tree.child(*node, Field::Object);
            if let Some(object) = object.filter(|&one| tree.kind(one) == Kind::Identifier) {
                let known = of_word.entry(tree.word(object).to_vec()).or_default();
                known.push((name.clone(), *node));
            }
        }
        Self {
            all,
            of_word,
            staying: RefCell::default(),
            lacking: RefCell::default(),
        }
    }

    /// Whether all members of a module that the code uses stay. The module is imported by its whole name.
    pub(super) fn all_stay(&self, unit: &ModuleView<'_>, module: &str) -> bool {
        if let Some(&known) = self.staying.borrow().get(module) {
            return known;
        }
        let tree = &unit.module.tree;
        let used = members_of(&self.all, module);
        let used = used.filter(|(_, node)| tree.range(*node).len() > module.len());
        let mut used = used.peekable();
        let stays = used.peek().is_some()
            && used.all(|(name, _)| matches!(verdict(unit, name), Verdict::Left(..)));
        let mut staying = self.staying.borrow_mut();
        staying.insert(module.to_owned(), stays);
        stays
    }

    /// The first member that the code uses of a module, bound to `word`, and that the module's counterpart lacks.
    pub(super) fn lacking(
        &self,
        unit: &ModuleView<'_>,
        word: &[u8],
        module: &str,
    ) -> Option<String> {
        let key = (word.to_vec(), module.to_owned());
        if let Some(known) = self.lacking.borrow().get(&key) {
            return known.clone();
        }
        let used = self.of_word.get(word).map_or(&[][..], Vec::as_slice);
        // What the runtime package stands in for asks least of a person.
        let lacking = members_of(used, module)
            .filter_map(|(name, node)| match verdict(unit, name) {
                Verdict::Left(code, _) => Some((code == STANDS_IN, *node, name)),
                _ => None,
            })
            .min()
            .map(|(.., name)| name.clone());
        self.lacking.borrow_mut().insert(key, lacking.clone());
        lacking
    }
}

/// The members of a module among sorted names.
fn members_of<'n>(
    names: &'n [(String, NodeId)],
    module: &str,
) -> impl Iterator<Item = &'n (String, NodeId)> {
    let front = format!("{module}.");
    let first = names.partition_point(|(name, _)| *name < front);
    let behind = names.get(first..).unwrap_or_default().iter();
    behind.take_while(move |(name, _)| name.starts_with(&front))
}
