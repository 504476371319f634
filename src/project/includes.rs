//! Which file of the tree an `#include` means, and what a file sees through its includes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::facts::Include;
use super::headers::Headers;
use super::paths;

/// Looks up files of the tree by the ends of their paths.
#[derive(Default, Debug)]
pub struct Resolver {
    by_path: FxHashMap<String, usize>,
    by_name: FxHashMap<String, Vec<usize>>,
    names: Vec<String>,
    roots: Vec<String>,
}

impl Resolver {
    /// A resolver over all files of the tree, in the order of their indices. `roots` are folders
    /// that includes are looked up in first.
    pub fn new(files: impl Iterator<Item = String>, roots: Vec<String>) -> Self {
        let mut resolver = Self {
            roots,
            ..Self::default()
        };
        for (index, path) in files.enumerate() {
            let name = paths::file_name(&path).to_owned();
            resolver.by_name.entry(name).or_default().push(index);
            resolver.by_path.insert(path.clone(), index);
            resolver.names.push(path);
        }
        resolver
    }

    /// The file at exactly this path.
    pub fn exact(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The files with this last component.
    pub fn named(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The file that `include`, written in the file `from`, means.
    pub fn resolve(&self, from: &str, include: &Include) -> Option<usize> {
        let folder = paths::folder(from);
        if !include.angled
            && let Some(found) = paths::join(folder, &include.path).and_then(|p| self.exact(&p))
        {
            return Some(found);
        }
        let in_roots = self
            .roots
            .iter()
            .find_map(|root| paths::join(root, &include.path).and_then(|p| self.exact(&p)));
        if in_roots.is_some() {
            return in_roots;
        }
        let suffix = include
            .path
            .trim_start_matches("./")
            .trim_start_matches("../");
        let bare = include.angled && !suffix.contains('/');
        let mut candidates: Vec<usize> = self
            .named(paths::file_name(suffix))
            .iter()
            .copied()
            .filter(|&index| {
                self.names
                    .get(index)
                    .is_some_and(|path| paths::ends_with(path, suffix))
            })
            .collect();
        // `<math.h>` is the library's, even where some folder of the tree has a `math.h`.
        let peculiar = suffix.contains('_')
            || suffix
                .rsplit('.')
                .next()
                .is_some_and(|ending| ending.starts_with("cu"));
        if bare && (candidates.len() != 1 || !peculiar) {
            return None;
        }
        candidates.sort_by_key(|&index| {
            let path = self.names.get(index).map_or("", String::as_str);
            (
                usize::MAX - paths::shared_folders(path, from),
                path.len(),
                index,
            )
        });
        candidates.first().copied()
    }
}

/// What a file sees: itself and all that its includes reach.
#[derive(Clone, Default, Debug)]
pub struct Visible {
    /// Indices of files, the file itself first.
    pub files: Vec<usize>,
    /// Indices of the files whose includes lead to the file, sorted.
    above: Vec<usize>,
    /// The tree's headers.
    known: Arc<Headers>,
    /// Those that are seen, by number.
    headers: FixedBitSet,
    /// Headers besides.
    more: BTreeSet<String>,
}

/// The includes of a tree.
pub(super) struct Includes<'a> {
    /// Of each file.
    pub(super) of: &'a dyn Fn(usize) -> &'a [Include],
    /// For each of them, the file of the tree that it means.
    pub(super) resolved: &'a dyn Fn(usize) -> &'a [Option<usize>],
    /// Their paths by number.
    pub(super) headers: &'a Arc<Headers>,
    /// How many files there are.
    pub(super) files: usize,
}

impl Includes<'_> {
    /// The files that those includes of some files reach which are to be followed, `from` among them. Adds the headers
    /// on the way to `seen`.
    fn reach(
        &self,
        from: &[usize],
        follow: impl Fn(&Include) -> bool,
        seen: &mut FixedBitSet,
    ) -> Vec<usize> {
        let mut reached = FixedBitSet::with_capacity(self.files);
        reached.extend(from.iter().copied());
        let mut files = Vec::new();
        let mut queue = from.to_vec();
        while let Some(file) = queue.pop() {
            files.push(file);
            let includes = (self.of)(file).iter();
            let includes = includes.zip(self.headers.of_file(file));
            for ((include, &number), target) in includes.zip((self.resolved)(file)) {
                if !follow(include) {
                    continue;
                }
                seen.insert(number);
                if let Some(target) = *target
                    && !reached.put(target)
                {
                    queue.push(target);
                }
            }
        }
        files
    }
}

impl Visible {
    /// Walk from `start` along its includes: the files along those that are compiled on MUSA,
    /// the headers along all, because a name is CUDA's whichever branch brings its header.
    /// `above` are the files that include this one, sorted: a header may lean on what they
    /// include.
    pub(super) fn of(start: usize, above: &[usize], includes: &Includes<'_>) -> Self {
        let mut headers = FixedBitSet::with_capacity(includes.headers.len());
        let context: Vec<usize> = above.iter().copied().chain([start]).collect();
        // A header without includes of its own leans on its includers for all it uses.
        let from = if (includes.of)(start).is_empty() {
            context.as_slice()
        } else {
            &[start]
        };
        let files = includes.reach(from, Include::is_for_musa, &mut headers);
        includes.reach(&context, |_| true, &mut headers);
        Self {
            files,
            above: above.to_vec(),
            known: Arc::clone(includes.headers),
            headers,
            more: BTreeSet::new(),
        }
    }

    /// What code sees that stands for itself in the file `start` and includes these headers.
    pub fn by_itself(start: usize, headers: impl Iterator<Item = String>) -> Self {
        Self {
            files: vec![start],
            more: headers.collect(),
            ..Self::default()
        }
    }

    /// Whether the includes of `file` lead to this one.
    pub fn is_above(&self, file: usize) -> bool {
        self.above.binary_search(&file).is_ok()
    }

    /// Whether a header is included whose file name starts with one of these; with none of them,
    /// always.
    pub fn has_named(&self, starts: &[String]) -> bool {
        let named = |path: &str| {
            let name = paths::file_name(path);
            starts.iter().any(|start| name.starts_with(start.as_str()))
        };
        let mut seen = self.headers.ones().map(|number| self.known.path(number));
        starts.is_empty() || seen.any(named) || self.more.iter().any(|path| named(path))
    }

    /// Whether one of `needs` is included: an exact path, or a front that ends in `/`.
    pub fn has_header(&self, needs: &[Cow<'static, str>]) -> bool {
        needs.iter().any(|need| {
            self.headers
                .contains_any_in_range(self.known.matching(need))
                || if need.ends_with('/') {
                    let first = self.more.range(need.to_string()..).next();
                    first.is_some_and(|path| path.starts_with(need.as_ref()))
                } else {
                    self.more.contains(need.as_ref())
                }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::regions::Region;
    use crate::text::TextRange;

    fn resolve(from: &str, path: &str, angled: bool) -> Option<usize> {
        let files = [
            "a/x.cuh",
            "b/x.cuh",
            "b/inc/my_math.h",
            "b/math.h",
            "b/main.cu",
        ];
        let resolver = Resolver::new(files.iter().map(|&f| f.to_owned()), Vec::new());
        let include = Include {
            range: TextRange::new(0, 0),
            path: path.to_owned(),
            angled,
            region: Region::Plain,
        };
        resolver.resolve(from, &include)
    }

    #[test]
    fn the_nearest_file_is_meant_and_library_headers_are_not_the_trees() {
        assert_eq!(resolve("b/main.cu", "x.cuh", false), Some(1));
        assert_eq!(resolve("a/k.cu", "../b/x.cuh", false), Some(1));
        assert_eq!(resolve("b/main.cu", "my_math.h", true), Some(2));
        assert_eq!(resolve("b/main.cu", "math.h", true), None);
        assert_eq!(resolve("c/d/e.cu", "a/x.cuh", true), Some(0));
    }
}
