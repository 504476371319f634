//! The modules that are loaded whenever a package or a program of the tree starts.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashSet;

use super::package_needs::ImportPlace;

/// The modules that the starts of a tree load, and the imports that lead to them.
#[derive(Default, Debug)]
pub(super) struct Startup {
    /// The modules, those first to which the fewest imports lead.
    loaded: Vec<usize>,
    /// For each of them the import that loads it first; `None` for a start.
    imported_at: BTreeMap<usize, Option<ImportPlace>>,
}

/// The names by which the packages of a tree are imported.
#[derive(Debug)]
pub(super) struct StartedNames {
    /// The package that the tree's own description names, where a start loads it.
    pub(super) described: Option<String>,
    /// The first parts of the names that the modules of the tree import.
    pub(super) imported: FxHashSet<String>,
}

impl Startup {
    /// The modules that are reached from `starts`; `needed` gives the imports without which a module can't be loaded.
    pub(super) fn of<'g, I>(starts: &[usize], needed: impl Fn(usize) -> I) -> Self
    where
        I: Iterator<Item = &'g ImportPlace>,
    {
        let mut startup = Self::default();
        let mut queue: VecDeque<(usize, Option<ImportPlace>)> =
            starts.iter().map(|&at| (at, None)).collect();
        while let Some((at, from)) = queue.pop_front() {
            if startup.contains(at) {
                continue;
            }
            startup.imported_at.insert(at, from);
            startup.loaded.push(at);
            queue.extend(needed(at).map(|&(to, place)| (to, Some((at, place)))));
        }
        startup
    }

    pub(super) fn loaded(&self) -> &[usize] {
        &self.loaded
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.imported_at.contains_key(&at)
    }

    /// The imports that lead from a start to a place, which is the last of them.
    pub(super) fn way_to(&self, place: ImportPlace) -> Vec<ImportPlace> {
        let mut way = vec![place];
        let mut here = place.0;
        while let Some(&Some(before)) = self.imported_at.get(&here) {
            way.push(before);
            here = before.0;
        }
        way.reverse();
        way
    }
}
