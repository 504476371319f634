//! The ways to translate pasted names, and those that were found for the macros of a tree.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use torchada_mapping::Evidence;
use torchada_project::Paster;

/// The ways to translate a pasted name.
pub(super) enum PastingPlan {
    /// No use makes a CUDA name.
    Nothing,
    /// These pieces of the body change, by their places in the name.
    Pieces(Vec<(usize, String)>, Evidence),
    /// The argument for this parameter changes in each use.
    Argument(usize),
    /// Uses make CUDA names, and no single change serves them all.
    Reported(Vec<String>),
}

/// The plans of a tree, each made once: they depend on the uses of a macro, wherever these are, and a macro that is
/// defined alike over and over has the same.
#[derive(Default)]
pub struct PastingPlans {
    known: Mutex<FxHashMap<PlanKey, Arc<[PastingPlan]>>>,
    made: OnceLock<FxHashSet<String>>,
}

/// The key of a plan: the macro's name, its parameters, and the pieces of all names that it pastes.
#[derive(PartialEq, Eq, Hash)]
struct PlanKey {
    name: Vec<u8>,
    arity: usize,
    only_pasted: Vec<bool>,
    pieces: Vec<Vec<(Vec<u8>, Option<usize>)>>,
}

impl PastingPlans {
    /// The names that uses of the tree's macros paste together, once somebody asks.
    pub(super) fn made_names(
        &self,
        find: impl FnOnce() -> FxHashSet<String>,
    ) -> &FxHashSet<String> {
        self.made.get_or_init(find)
    }

    /// The plan for each of the names that a macro pastes. Two threads may both make it, and must make the same.
    pub(super) fn of(
        &self,
        paster: &Paster,
        make: impl FnOnce() -> Arc<[PastingPlan]>,
    ) -> Arc<[PastingPlan]> {
        let pieces = paster.names.iter().map(|name| {
            let pieces = name.iter();
            pieces
                .map(|one| (one.text.clone(), one.parameter))
                .collect()
        });
        let key = PlanKey {
            name: paster.name.clone(),
            arity: paster.arity,
            only_pasted: paster.only_pasted.clone(),
            pieces: pieces.collect(),
        };
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plans) = known().get(&key) {
            return Arc::clone(plans);
        }
        let plans = make();
        known().insert(key, Arc::clone(&plans));
        plans
    }
}
