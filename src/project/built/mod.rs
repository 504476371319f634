//! Which files a build for MUSA compiles: what `CMake`'s files, and Python, hand to compilers under conditions that can hold
//! there, and what these files include.
//!
//! Architecture invariant: what can't be decided counts as built.

pub(super) mod architecture;
mod blocks;
mod cause;
mod command;
mod condition;
mod elsewhere;
mod graph;
mod macros;
mod names;
mod python;
mod sources;
mod switches;
mod tree;
mod value;
mod walk;
mod words;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::context::Context;
use crate::text::TextRange;
use cause::{Absence, Cause, CauseId, Causes, Excluded};
use graph::{Graph, Reason};
use names::Names;
use sources::Named;
use switches::Switches;
pub(super) use tree::Tree;
use walk::{Ground, Handed, STEPS, walk};

/// How often the way into files of `CMake`'s is followed from file to file.
const ROUNDS: usize = 16;

/// A file that no build for MUSA compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotBuilt {
    /// What findings in it are counted under: `for sm_90 and newer`.
    pub group: String,
    /// What says so in the tree, in words.
    pub why: String,
}

/// The files of a tree that no build for MUSA compiles.
#[derive(Default, Debug)]
pub struct Built {
    files: Vec<Option<NotBuilt>>,
    branches: FxHashMap<usize, Vec<(TextRange, NotBuilt)>>,
}

impl Built {
    /// Look at the build files and includes of a tree.
    pub(super) fn new(tree: Tree<'_>, roots: &[String], context: Context<'_>) -> Self {
        let texts: Vec<(usize, &[u8])> = tree.cmake_texts().collect();
        texts.par_iter().for_each(|(index, _)| {
            tree.cmake(*index);
        });
        let knowledge = context.knowledge;
        let table = &knowledge.builds.reach;
        let names = Names::new(tree, table);
        let switches = Switches::new(tree, table);
        let ground = Ground {
            names: &names,
            switches: &switches,
            knowledge,
            newest: u32::try_from(knowledge.shapes.guards.newest / 10).unwrap_or(u32::MAX),
        };
        let mut causes = Causes::default();
        let mut steps = STEPS;
        let mut handed = Vec::new();
        for (index, text) in texts {
            let Some(file) = tree.cmake(index) else {
                continue;
            };
            let Some(one) = walk(&ground, (index, text, file), &mut causes, &mut steps) else {
                return Self::default();
            };
            handed.push((index, one));
        }
        let ways = ways(tree, &handed, &causes);
        let branches = macros::branches(tree, &handed, &ways, &causes, context);
        let mut named = Named::new(tree);
        for (index, one) in &handed {
            let path = ways.get(*index).copied().flatten();
            if named.take(tree, *index, (one, path), &causes).is_none() {
                return Self::default();
            }
        }
        python::take(tree, &mut named, &mut causes);
        let graph = Graph::new(tree, &named, table, roots, &branches);
        let reasons = graph.reasons(&mut causes);
        let of_branches = branches.values().flatten().map(|(_, cause)| *cause);
        let of_files = reasons.iter().flatten().map(|reason| reason.cause);
        let mut used: Vec<CauseId> = of_files.chain(of_branches).collect();
        used.sort_unstable();
        used.dedup();
        let groups = groups(&used, &causes);
        let branches = branches.into_iter().map(|(file, branches)| {
            let branches = branches
                .into_iter()
                .filter_map(|(range, cause)| Some((range, branch(tree, cause, &groups, &causes)?)));
            (file, branches.collect())
        });
        Self {
            branches: branches.collect(),
            files: reasons
                .into_iter()
                .map(|reason| not_built(tree, reason?, &groups, &causes))
                .collect(),
        }
    }

    /// Why no build for MUSA compiles the file at `index`; `None` where one may.
    pub fn absence(&self, index: usize) -> Option<&NotBuilt> {
        self.files.get(index)?.as_ref()
    }

    /// The branches of the file at `index` that no build for MUSA compiles, and why.
    pub fn branches(&self, index: usize) -> &[(TextRange, NotBuilt)] {
        self.branches.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// For each file of `CMake`'s why no build for MUSA reads it.
fn ways(tree: Tree<'_>, handed: &[(usize, Handed)], causes: &Causes) -> Vec<Absence> {
    let mut ways: Vec<Absence> = vec![None; tree.files.len()];
    for _ in 0..ROUNDS {
        let mut entered: Vec<Option<Absence>> = vec![None; tree.files.len()];
        for (index, one) in handed {
            let way = ways.get(*index).copied().flatten();
            for file in &one.files {
                for target in Named::entered(tree, *index, &file.text) {
                    if let Some(slot) = entered.get_mut(target) {
                        let absence = file.absence.or(way);
                        let so_far = slot.unwrap_or(absence);
                        *slot = Some(causes.either(so_far, absence));
                    }
                }
            }
        }
        let next: Vec<Absence> = entered.into_iter().map(Option::flatten).collect();
        if next == ways {
            break;
        }
        ways = next;
    }
    ways
}

/// The causes that findings are counted under: all of one kind together.
fn groups(used: &[CauseId], causes: &Causes) -> Vec<Cause> {
    let mut groups: Vec<Cause> = Vec::new();
    for excluded in used.iter().filter_map(|&cause| causes.get(cause)) {
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

/// Why no build for MUSA compiles a branch.
fn branch(tree: Tree<'_>, cause: CauseId, groups: &[Cause], causes: &Causes) -> Option<NotBuilt> {
    let Excluded { cause, place } = causes.get(cause)?;
    let words = cause.words();
    let place = place.and_then(|(file, line)| Some((tree.files.get(file)?, line)));
    let place = place.map(|(file, line)| format!(" (`{}:{line}`)", file.path));
    let group = groups.iter().find_map(|group| group.joined(cause));
    Some(NotBuilt {
        group: group.as_ref().unwrap_or(cause).words(),
        why: format!(
            "the macro that the branch asks for is defined {words} only{}",
            place.unwrap_or_default()
        ),
    })
}

fn not_built(
    tree: Tree<'_>,
    reason: Reason,
    groups: &[Cause],
    causes: &Causes,
) -> Option<NotBuilt> {
    let Excluded { cause, place } = causes.get(reason.cause)?;
    let path_of = |at: usize| tree.files.get(at).map_or("", |file| file.path.as_str());
    let place = place.map(|(file, line)| format!("{}:{line}", path_of(file)));
    let words = cause.words();
    let why = match (place, reason.through.map(path_of)) {
        (Some(place), None) => format!("`{place}` takes it {words} only"),
        (Some(place), Some(through)) => {
            format!("only code {words} includes it, such as `{through}` (`{place}`)")
        }
        (None, Some(through)) => format!("only `{through}` includes it, which no file includes"),
        (None, None) => "no file includes it, and no build file or script names it".to_owned(),
    };
    let group = groups.iter().find_map(|group| group.joined(cause));
    Some(NotBuilt {
        group: group.as_ref().unwrap_or(cause).words(),
        why,
    })
}
