//! Where paths, and the parts of paths, are in a tree.

use std::iter::once;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::paths;
use super::patterns::at_path;

/// The number of files that end alike from which on the nearest one is looked up.
const MANY: usize = 16;

/// For each folder, the file below it with the shortest path.
type Shortest = FxHashMap<String, usize>;

/// The files of a tree by path, and by the names of folders and files in their paths.
#[derive(Default, Debug)]
pub struct PathIndex {
    paths: Vec<Arc<str>>,
    by_part: FxHashMap<String, Vec<usize>>,
    /// All files, sorted by their paths; of two with one path the last is found.
    by_start: Vec<usize>,
    /// All files, sorted by their paths read backwards.
    by_end: Vec<usize>,
    /// The shortest paths of the files that end alike, by that end, where these files are many.
    shortest: Mutex<FxHashMap<String, Arc<Shortest>>>,
}

impl PathIndex {
    /// The places of these files, in the order of their indices.
    pub(crate) fn new(files: impl Iterator<Item: Into<Arc<str>>>) -> Self {
        let paths: Vec<Arc<str>> = files.map(Into::into).collect();
        let all: Vec<usize> = (0..paths.len()).collect();
        // Turned round once: paths below one folder differ at their ends alone.
        let backwards = |at: usize| {
            let path = paths.get(at);
            path.map(|path| path.bytes().rev().collect::<Vec<u8>>())
        };
        let (by_part, (by_start, by_end)) = rayon::join(
            || by_part(&paths),
            || {
                let (mut by_start, mut by_end) = (all.clone(), all);
                by_start.sort_by_key(|&at| paths.get(at));
                by_end.sort_by_cached_key(|&at| backwards(at));
                (by_start, by_end)
            },
        );
        Self {
            paths,
            by_part,
            by_start,
            by_end,
            shortest: Mutex::default(),
        }
    }

    /// How many files there are.
    pub(crate) fn size(&self) -> usize {
        self.paths.len()
    }

    /// The path of a file; empty where there is none.
    pub(crate) fn path(&self, file: usize) -> &str {
        self.paths.get(file).map_or("", |path| path)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &str) -> Option<usize> {
        let behind = self.by_start.partition_point(|&at| self.path(at) <= path);
        let last = *self.by_start.get(behind.checked_sub(1)?)?;
        (self.path(last) == path).then_some(last)
    }

    /// The files in whose paths a name stands, as that of the file or of a folder above it.
    pub fn with_part(&self, name: &str) -> &[usize] {
        self.by_part.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files whose paths begin with a text, by path.
    pub(crate) fn beginning_with(&self, start: &str) -> &[usize] {
        let from = self.by_start.partition_point(|&at| self.path(at) < start);
        let (_, rest) = self.by_start.split_at(from);
        let length = rest.partition_point(|&at| self.path(at).starts_with(start));
        rest.split_at(length).0
    }

    /// The files whose paths may be like a pattern: those that begin as it does, or that have the rarest of its names.
    fn maybe_like(&self, pattern: &str) -> impl Iterator<Item = usize> {
        let is_open = |text: &str| text.contains(['*', '?']);
        let start = pattern.split(['*', '?']).next().unwrap_or_default();
        let names = pattern.split('/').filter(|name| !is_open(name));
        let named = names.map(|name| self.with_part(name));
        let begun = self.beginning_with(start);
        let files = named.chain([begun]).min_by_key(|files| files.len());
        files.unwrap_or_default().iter().copied()
    }

    /// The files that a pattern means, by path from the tree's root: with `*` for any run of characters in the name of a file
    /// or a folder, and `**` for any number of folders.
    pub(crate) fn like(&self, pattern: &str) -> Vec<usize> {
        let Some(pattern) = paths::join("", pattern) else {
            return Vec::new();
        };
        let files = self.maybe_like(&pattern);
        let files = files.filter(|&at| at_path("", &pattern, self.path(at)));
        let mut found: Vec<usize> = files.collect();
        found.sort_unstable();
        found
    }

    /// The files whose paths are this one, or end with it below a folder.
    pub fn ending_with<'p>(&'p self, end: &str) -> impl Iterator<Item = usize> + use<'p> {
        self.file_at(end)
            .into_iter()
            .chain(self.below_folders(end).iter().copied())
    }

    /// The files whose paths end with this one below a folder.
    fn below_folders(&self, end: &str) -> &[usize] {
        let wanted = || end.bytes().rev().chain(once(b'/'));
        let from = self
            .by_end
            .partition_point(|&at| self.path(at).bytes().rev().lt(wanted()));
        let (_, rest) = self.by_end.split_at(from);
        let length = rest.partition_point(|&at| {
            let above = self.path(at).strip_suffix(end);
            above.is_some_and(|above| above.ends_with('/'))
        });
        rest.split_at(length).0
    }

    /// Of the files that end with a path, the one that shares the most folders with `from`; of several, the one with
    /// the shortest path.
    pub(crate) fn nearest(&self, from: &str, end: &str) -> Option<usize> {
        let below = self.below_folders(end);
        if below.len() < MANY {
            return self.ending_with(end).min_by_key(|&at| {
                let path = self.path(at);
                let shared = paths::shared_folders(path, from);
                (usize::MAX - shared, path.len(), at)
            });
        }
        let known = {
            let mut known = self.shortest.lock().unwrap_or_else(PoisonError::into_inner);
            let found = known.get(end).cloned();
            found.unwrap_or_else(|| {
                let made = Arc::new(self.shortest(self.ending_with(end)));
                known.insert(end.to_owned(), Arc::clone(&made));
                made
            })
        };
        paths::folders(from).find_map(|folder| known.get(folder).copied())
    }

    /// For each folder above some files, the one with the shortest path.
    fn shortest(&self, files: impl Iterator<Item = usize>) -> Shortest {
        let mut shortest = Shortest::default();
        for at in files {
            let path = self.path(at);
            for folder in paths::folders(path) {
                match shortest.get_mut(folder) {
                    Some(best) if (self.path(*best).len(), *best) <= (path.len(), at) => {}
                    Some(best) => *best = at,
                    None => {
                        shortest.insert(folder.to_owned(), at);
                    }
                }
            }
        }
        shortest
    }

    /// Whether a path of the tree has these parts one after another, from the name of a folder on.
    pub fn have(&self, parts: &str) -> bool {
        if parts.is_empty() {
            return false;
        }
        // Few files have the rarest of the names.
        let rarest = parts
            .split('/')
            .map(|part| self.with_part(part))
            .min_by_key(|files| files.len())
            .unwrap_or_default();
        rarest
            .iter()
            .filter_map(|&at| self.paths.get(at))
            .any(|path| {
                let mut from = &**path;
                loop {
                    let rest = from.strip_prefix(parts);
                    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                        return true;
                    }
                    let Some((_, next)) = from.split_once('/') else {
                        return false;
                    };
                    from = next;
                }
            })
    }
}

/// The files in whose paths each name stands.
fn by_part(paths: &[Arc<str>]) -> FxHashMap<String, Vec<usize>> {
    let mut by_part: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, path) in paths.iter().enumerate() {
        for part in path.split('/') {
            match by_part.get_mut(part) {
                Some(files) if files.last() == Some(&at) => {}
                Some(files) => files.push(at),
                None => {
                    by_part.insert(part.to_owned(), vec![at]);
                }
            }
        }
    }
    by_part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_paths_are_found_one_behind_the_other() {
        let places = PathIndex::new(["a/b/c.h", "b/a/d.h"].into_iter());
        assert!(places.have("a/b") && places.have("b/c.h") && places.have("d.h"));
        assert!(!places.have("a/c.h") && !places.have("b/c") && !places.have(""));
        assert_eq!(places.file_at("b/a/d.h"), Some(1));
    }

    #[test]
    fn files_that_may_be_like_a_pattern_are_few() {
        let places = PathIndex::new(["a/b/c.cu", "a/c.cu", "ab/b/c.h", "b/d.cu"].into_iter());
        let like = |pattern: &str| places.maybe_like(pattern).collect::<Vec<_>>();
        assert_eq!(like("a/*.cu"), [0, 1]);
        assert_eq!(like("**/b/*.cu"), [0, 2, 3]);
        assert_eq!(like("*.cu").len(), 4);
        assert_eq!(places.beginning_with("a/"), [0, 1]);
        assert_eq!(places.beginning_with("ab"), [2]);
    }

    #[test]
    fn files_are_found_by_the_ends_of_their_paths() {
        let places = PathIndex::new(["x/k.h", "k.h", "x/y/k.h", "x/yk.h", "y/k.h"].into_iter());
        let mut found: Vec<usize> = places.ending_with("k.h").collect();
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 4]);
        assert_eq!(places.ending_with("y/k.h").count(), 2);
        assert_eq!(places.ending_with("z/k.h").count(), 0);
    }

    #[test]
    fn the_nearest_of_many_is_the_one_that_shares_most_folders() {
        let many: Vec<String> = (0..3 * MANY).map(|at| format!("a/b{at}/c/k.h")).collect();
        let places = PathIndex::new(many.iter().map(String::as_str));
        assert_eq!(places.nearest("a/b7/d/x.cu", "k.h"), Some(7));
        assert_eq!(places.nearest("a/x.cu", "k.h"), Some(0));
        assert_eq!(places.nearest("e/f/x.cu", "c/k.h"), Some(0));
    }
}
