//! Work on several things at a time.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Do something with each item, some at a time. A port and a check have a pool of threads of
/// their own, in which one must not wait for another.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else {
                    return done;
                };
                done.push((at, work(item)));
            }
        };
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        let each = running.into_iter();
        each.flat_map(|one| one.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
