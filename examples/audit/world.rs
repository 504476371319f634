//! What is known of both trees, and what of it is seen from one file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::includes::{Folder, Graph, Seen};
use crate::trees::Report;
use crate::vocabulary::{SeenFrom, Vocabulary};

/// What is known of both trees as a whole.
pub(crate) struct World<'w> {
    /// The tables.
    pub(crate) vocabulary: Vocabulary<'w>,
    /// The port's report.
    pub(crate) report: Report,
    /// The input's files.
    pub(crate) inputs: Folder,
    /// The output's files.
    pub(crate) outputs: Folder,
    /// The input's includes.
    pub(crate) graph: Graph,
    /// What each file of the input declares, of names that the tables know.
    pub(crate) declared: BTreeMap<String, BTreeSet<Vec<u8>>>,
    /// Macros of the input that stand for one of CUDA's architectures.
    pub(crate) numbers: BTreeMap<Vec<u8>, i64>,
    /// The source of each output.
    pub(crate) sources: BTreeMap<String, String>,
}

/// What is seen from one file.
pub(crate) struct Surroundings<'s> {
    world: &'s World<'s>,
    seen: Seen<'s>,
}

impl<'s> Surroundings<'s> {
    /// What is seen from the file `path`.
    pub(crate) fn new(world: &'s World<'s>, path: &'s str) -> Self {
        let seen = world.graph.seen(path);
        Self { world, seen }
    }
}

impl SeenFrom for Surroundings<'_> {
    fn sees(&self, needs: &[Cow<'static, str>]) -> bool {
        self.seen.header(needs)
    }

    fn declares(&self, name: &[u8]) -> bool {
        let mut files = self.seen.files.iter();
        files.any(|file| {
            let declared = self.world.declared.get(*file);
            declared.is_some_and(|declared| declared.contains(name))
        })
    }
}
