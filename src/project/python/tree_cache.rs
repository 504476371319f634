//! A cache of trees by the places of their modules.

use std::hash::BuildHasherDefault;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use rustc_hash::FxHasher;

type Hashing = BuildHasherDefault<FxHasher>;

/// What is kept of modules, by their places in the project.
pub(super) type TreeCache<T, W> = Cache<usize, T, W, Hashing>;

/// A cache of about so many modules that weigh so much together. It is one for all threads: divided among them, as such
/// caches are by themselves, each part would be too small for a large module, and smaller on a larger machine.
pub(super) fn tree_cache<T: Clone, W: Weighter<usize, T> + Clone>(
    modules: usize,
    most: u64,
    weighter: W,
) -> TreeCache<T, W> {
    let options = OptionsBuilder::new()
        .estimated_items_capacity(modules)
        .weight_capacity(most)
        .shards(1)
        .build();
    let (hashing, lifecycle) = (Hashing::default(), DefaultLifecycle::default());
    match options {
        Ok(options) => Cache::with_options(options, weighter, hashing, lifecycle),
        // Only a number that is missing is an error.
        Err(_) => Cache::with(modules, most, weighter, hashing, lifecycle),
    }
}
