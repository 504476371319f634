//! Spreads the work on many items over threads. Rayon's own splitting hands out a quarter of the items at a time where
//! two threads work, and a thread that is done can't take items from a quarter that another thread has begun.

use rayon::prelude::*;

/// How many small tasks a thread does before another thread can take over the remaining ones.
pub const AT_ONCE: usize = 16;

/// From this size on, in bytes, a file may keep a thread busy when the others are done.
const LARGE: usize = 64 * 1024;

/// Do something with each of some things, on all threads, with the large ones before all others: one
/// that came last would keep a thread busy while the others wait. The rest keep their order, because
/// neighbours ask for the same files. The results come in the order of the things.
pub fn largest_first<T: Send, R: Send>(
    things: impl IntoIterator<Item = T>,
    size: impl Fn(&T) -> usize,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    let numbered = things.into_iter().enumerate();
    let sized = numbered.map(|(at, one)| (at, size(&one), one));
    let (mut all, rest): (Vec<_>, Vec<_>) = sized.partition(|(_, size, _)| *size >= LARGE);
    all.sort_by_key(|(_, size, _)| std::cmp::Reverse(*size));
    all.extend(rest);
    let all = all.into_par_iter().with_max_len(1);
    let mut done: Vec<(usize, R)> = all.map(|(at, _, one)| (at, work(one))).collect();
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
