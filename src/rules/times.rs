//! How long each rule took, where somebody wants to know.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

/// The times of rules, and of other work of threads, by name; of all threads together.
#[derive(Default, Debug)]
pub struct Times {
    spent: Mutex<FxHashMap<&'static str, Duration>>,
    nodes: AtomicUsize,
    visits: AtomicUsize,
}

impl Times {
    /// Do something, and add the time that it takes.
    pub fn measure<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        let time = begun.elapsed();
        *self.lock().entry(what).or_default() += time;
        done
    }

    /// Count the nodes of a module, and how many of them were gone through for the module.
    pub fn pass(&self, (nodes, visits): (usize, usize)) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.visits.fetch_add(visits, Ordering::Relaxed);
    }

    /// Take out what was counted: nodes, and how many were gone through.
    pub fn take_passes(&self) -> (usize, usize) {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::Relaxed);
        (take(&self.nodes), take(&self.visits))
    }

    /// Take out what was measured, sorted by name.
    pub fn take(&self) -> Vec<(&'static str, Duration)> {
        let mut all: Vec<_> = std::mem::take(&mut *self.lock()).into_iter().collect();
        all.sort_unstable();
        all
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<&'static str, Duration>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
