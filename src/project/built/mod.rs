//! Which files a build for MUSA compiles: what `CMake`'s files, and Python, hand to compilers under conditions that can hold
//! there, and what these files include.
//!
//! Architecture invariant: what can't be decided counts as built.

mod graph;
mod macros;
mod name_finder;
mod optional;
mod other_mentions;
mod python;
mod sources;
mod tree;

use std::iter::once;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cmake::replay::{Cause, Excluded, HandedFiles};
use super::context::Context;
use graph::{Graph, Reason};
pub use optional::OptionalPart;
use sources::NamedSources;
use torchada_text::{Moved, TextRange};
pub(super) use tree::Tree;

/// A file that no build for MUSA compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotBuilt {
    /// What findings in it are counted under: `for sm_90 and newer`.
    pub group: String,
    /// What says so in the tree, in words.
    pub why: String,
}

/// The files of a tree that no build for MUSA compiles.
#[derive(Clone, Default, Debug)]
pub struct Built {
    files: Vec<Option<NotBuilt>>,
    branches: FxHashMap<usize, Vec<(TextRange, NotBuilt)>>,
    optional: Vec<OptionalPart>,
}

impl Built {
    /// Follow what the files of `CMake`'s of a tree hand on along the includes; `None` where that is not known.
    pub(super) fn new(
        tree: Tree<'_>,
        handed: Option<&HandedFiles>,
        roots: &[String],
        context: Context<'_>,
    ) -> Self {
        let knowledge = context.knowledge;
        let Some(handed) = handed else {
            return Self::default();
        };
        let branches = macros::branches(tree, handed, context);
        let Some(mut named) = NamedSources::new(tree, handed, knowledge.builds.cmake.limits) else {
            return Self::default();
        };
        let named_by_cmake = named.clone();
        python::take(tree, &mut named);
        let variants = optional::variants(tree, &named_by_cmake);
        let (reasons, optional) = {
            let all = once(&named).chain(variants.iter().map(|one| &one.named));
            let graph = |named| Graph::new(tree, named, &knowledge.builds.reach, roots, &branches);
            let mut graphs: Vec<Graph<'_>> = all.map(graph).collect();
            Graph::walk(&mut graphs);
            let Some((whole, others)) = graphs.split_first() else {
                return Self::default();
            };
            let reasons = whole.reasons();
            let is_known = |at: usize| reasons.get(at).is_some_and(Option::is_some);
            // What a build does not come to in any case.
            let never: FxHashSet<usize> = whole.left_out().collect();
            let optional = variants.iter().zip(others).filter_map(|(variant, graph)| {
                let files = graph.left_out();
                let files = files.filter(|at| !never.contains(at) && !is_known(*at));
                variant.part(tree, files.collect())
            });
            let optional: Vec<OptionalPart> = optional.collect();
            (reasons, optional)
        };
        let of_branches = branches.values().flatten().map(|(_, cause)| cause);
        let of_files = reasons.iter().flatten().map(|reason| &reason.cause);
        let groups = groups(of_files.chain(of_branches));
        let branches = branches.into_iter().map(|(file, branches)| {
            let branches = branches
                .into_iter()
                .map(|(range, cause)| (range, branch(tree, &cause, &groups)));
            (file, branches.collect())
        });
        Self {
            branches: branches.collect(),
            files: reasons
                .into_iter()
                .map(|reason| Some(not_built(tree, &reason?, &groups)))
                .collect(),
            optional,
        }
    }

    /// Why no build for MUSA compiles the file at `index`; `None` where one may.
    pub fn absence(&self, index: usize) -> Option<&NotBuilt> {
        self.files.get(index)?.as_ref()
    }

    /// The parts of a build that a variable of the environment leaves out, or brings in.
    pub fn optional(&self) -> &[OptionalPart] {
        &self.optional
    }

    /// Let the branches of a file lie where those of `saved` moved to.
    pub(super) fn move_branches(&mut self, saved: &Self, index: usize, moved: Moved) {
        if let Some(branches) = saved.branches.get(&index) {
            let branches = branches.iter();
            let branches =
                branches.filter_map(|(range, why)| Some((moved.stretched(*range)?, why.clone())));
            self.branches.insert(index, branches.collect());
        }
    }

    /// The branches of the file at `index` that no build for MUSA compiles, and why.
    pub fn branches(&self, index: usize) -> &[(TextRange, NotBuilt)] {
        self.branches.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// The causes that findings are counted under: all of one kind together.
fn groups<'c>(used: impl Iterator<Item = &'c Arc<Excluded>>) -> Vec<Cause> {
    let mut groups: Vec<Cause> = Vec::new();
    for excluded in used {
        let cause = &excluded.cause;
        let joined = groups.iter_mut().find_map(|group| {
            let joined = group.joined(cause)?;
            *group = joined;
            Some(())
        });
        if joined.is_none() {
            groups.push(cause.clone());
        }
    }
    groups
}

/// What findings are counted under that have a cause.
fn group(cause: &Cause, groups: &[Cause]) -> String {
    let group = groups.iter().find_map(|group| group.joined(cause));
    group.as_ref().unwrap_or(cause).words()
}

/// The place of a cause: `CMakeLists.txt:12`.
fn place(tree: Tree<'_>, excluded: &Excluded) -> Option<String> {
    tree.place(excluded.place?)
}

/// Why no build for MUSA compiles a branch.
fn branch(tree: Tree<'_>, excluded: &Excluded, groups: &[Cause]) -> NotBuilt {
    let words = excluded.cause.words();
    let place = place(tree, excluded).map(|place| format!(" (`{place}`)"));
    NotBuilt {
        group: group(&excluded.cause, groups),
        why: format!(
            "the macro that the branch asks for is defined {words} only{}",
            place.unwrap_or_default()
        ),
    }
}

fn not_built(tree: Tree<'_>, reason: &Reason, groups: &[Cause]) -> NotBuilt {
    let path_of = |at: usize| tree.files.get(at).map_or("", |file| &*file.path);
    let place = place(tree, &reason.cause);
    let words = reason.cause.cause.words();
    let why = match (place, reason.through.map(path_of)) {
        (Some(place), None) => format!("`{place}` takes it {words} only"),
        (Some(place), Some(through)) => {
            format!("only code {words} includes it, such as `{through}` (`{place}`)")
        }
        (None, Some(through)) => format!("only `{through}` includes it, which no file includes"),
        (None, None) => "no file includes it, and no build file or script names it".to_owned(),
    };
    NotBuilt {
        group: group(&reason.cause.cause, groups),
        why,
    }
}
