//! Spreads the work on many items over threads.
//!
//! Rayon hands out the items, in one function that knows neither their type nor what is done with them: it is compiled
//! once, where each use of its iterators brings thousands of lines of its own.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// How many small tasks a thread does before another thread can take over the remaining ones, at most. Rayon's own
/// splitting hands out a quarter of the items at a time where two threads work, and a thread that is done can't take
/// items from a quarter that another thread has begun.
const AT_ONCE: usize = 16;

/// The number of parts in which few items are handed out, so that each of many threads gets some.
const PARTS: usize = 256;

/// The size in bytes from which on a file may keep a thread busy when the others are done.
const LARGE: usize = 64 * 1024;

/// What `work` makes of each item, on all threads; the results come in the order of the items.
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    run(items, AT_ONCE, work)
}

/// All that `work` finds in each item, on all threads, in the order of the items.
pub fn flat_map<T: Send, R: Send, I: IntoIterator<Item = R>>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> I + Sync,
) -> Vec<R> {
    let found = map(items, |item| work(item).into_iter().collect::<Vec<R>>());
    found.into_iter().flatten().collect()
}

/// Whether a test holds for one of some items, on all threads. The remaining items are not tested once it held for one.
pub fn any<T: Send>(items: impl IntoIterator<Item = T>, test: impl Fn(T) -> bool + Sync) -> bool {
    let found = AtomicBool::new(false);
    map(items, |item| {
        if !found.load(Ordering::Relaxed) && test(item) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

/// As [`map`], with the large items before all others: one that came last would keep a thread busy while the others
/// wait. The rest keep their order, because neighbours ask for the same files.
pub fn largest_first<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    size: impl Fn(&T) -> usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let numbered = items.into_iter().enumerate();
    let sized = numbered.map(|(at, one)| (at, size(&one), one));
    let (mut all, rest): (Vec<_>, Vec<_>) = sized.partition(|(_, size, _)| *size >= LARGE);
    all.sort_by_key(|(_, size, _)| std::cmp::Reverse(*size));
    all.extend(rest);
    let mut done = run(all, 1, |(at, _, one)| (at, work(one)));
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// An item, and then what became of it.
enum Slot<T, R> {
    Waiting(T),
    Done(R),
    Taken,
}

fn run<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    at_once: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let slots = items
        .into_iter()
        .map(|item| Mutex::new(Slot::Waiting(item)));
    let slots: Vec<Mutex<Slot<T, R>>> = slots.collect();
    let at_once = (slots.len() / PARTS).clamp(1, at_once);
    each(slots.len(), at_once, &|at| {
        let Some(slot) = slots.get(at) else {
            return;
        };
        // Nobody else takes it: a panic in the work ends all of it.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Slot::Waiting(item) = mem::replace(&mut *slot, Slot::Taken) {
            *slot = Slot::Done(work(item));
        }
    });
    let done = slots.into_iter().filter_map(|slot| {
        match slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Slot::Done(result) => Some(result),
            Slot::Waiting(_) | Slot::Taken => None,
        }
    });
    done.collect()
}

/// Does the work on each of so many items, by their numbers.
fn each(count: usize, at_once: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count)
        .into_par_iter()
        .with_max_len(at_once)
        .for_each(work);
}
