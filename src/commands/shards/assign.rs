//! Which files are whose.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cli::Shard;
use crate::project::Project;

/// The files that have something to be translated, by their place in the project, and their bytes.
pub(super) fn sizes(project: &Project) -> Vec<(usize, usize)> {
    let files = project.files.iter().enumerate();
    files
        .filter_map(|(index, file)| Some((index, file.text.as_deref()?.len())))
        .collect()
}

/// The files of a shard, in the order of the project.
pub(super) fn files(project: &Project, shard: Shard) -> Vec<usize> {
    let owners = owners(project, shard.of());
    let mut files: Vec<usize> = owners
        .into_iter()
        .filter(|(_, owner)| *owner == shard.number())
        .map(|(index, _)| index)
        .collect();
    files.sort_unstable();
    files
}

/// Each file with its shard: the largest first, each to the shard that has least by then. What
/// takes long is spread so, and which paths a file lies beside makes no difference.
pub(super) fn owners(project: &Project, of: u32) -> Vec<(usize, u32)> {
    let mut sizes = sizes(project);
    // Files of one size stay in the order of their paths.
    sizes.sort_by_key(|&(_, size)| Reverse(size));
    let mut loads: BinaryHeap<Reverse<(usize, u32)>> =
        (1..=of).map(|number| Reverse((0, number))).collect();
    let mut owners = Vec::with_capacity(sizes.len());
    for (index, size) in sizes {
        if let Some(Reverse((load, number))) = loads.pop() {
            owners.push((index, number));
            // An empty file takes its time, too.
            loads.push(Reverse((load + size + 1, number)));
        }
    }
    owners
}
