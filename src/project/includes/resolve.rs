//! Which file of the tree an `#include` means, and which files and headers includes lead to.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::headers::Headers;
use crate::PathIndex;
use crate::facts::Include;
use crate::tree::paths;
use torchada_mapping::{Relation, Row, Tables, starts_with_one};

/// Looks up files of the tree by the ends of their paths.
#[derive(Clone, Copy)]
pub struct Resolver<'a> {
    /// The paths of the tree.
    pub places: &'a PathIndex,
    /// Folders that includes are looked up in first.
    pub roots: &'a [String],
    /// The tables, which know the headers of CUDA's libraries.
    pub tables: &'a Tables,
    /// Whether a file wraps the library's header that it is called after, as a `cuda.h` that includes `<cuda.h>`.
    pub wraps: &'a (dyn Fn(usize) -> bool + Sync),
}

impl Resolver<'_> {
    /// The file that `include`, written in the file `from`, means.
    pub fn resolve(&self, from: &str, include: &Include) -> Option<usize> {
        let folder = paths::folder(from);
        let beside = (!include.angled).then_some(folder);
        let first = beside
            .into_iter()
            .chain(self.roots.iter().map(String::as_str))
            .filter_map(|folder| paths::join(folder, &include.path))
            .find_map(|path| self.places.file_at(&path));
        if first.is_some() {
            return first;
        }
        let suffix = include.suffix();
        // `<cuda_runtime.h>` is the toolkit's, unless the file's own folder has one: a folder of stand-ins for builds
        // without CUDA is on the path of those builds alone.
        let names_toolkits = |row: &Row| include.angled || row.relation == Relation::Renamed;
        let row = self.tables.header(suffix);
        // One that no toolkit has, as those of NVIDIA's samples, is the tree's where the tree has it.
        let is_in_none = row.is_some_and(|row| row.std);
        if !suffix.contains('/') && !is_in_none && row.is_some_and(names_toolkits) {
            let beside = paths::join(folder, suffix)?;
            let stands_in = |file: &usize| !include.angled || !(self.wraps)(*file);
            return self.places.file_at(&beside).filter(stands_in);
        }
        // `<math.h>` is the library's, even where some folder of the tree has a `math.h`.
        let bare = include.angled && !suffix.contains('/') && !is_in_none;
        let mut parts = suffix.rsplit('.');
        let is_cudas = parts.next().is_some_and(|ending| ending.starts_with("cu"));
        if bare && !is_cudas && !suffix.contains('_') {
            return None;
        }
        // Of several with one name the nearest is meant, where no library outside of the tree has such names.
        if bare && !is_cudas && self.places.ending_with(suffix).take(2).count() != 1 {
            return None;
        }
        self.places.nearest(from, suffix)
    }
}

/// The files and headers that a file sees: itself and all that its includes reach.
#[derive(Clone, Default, Debug)]
pub struct Visible {
    /// Indices of files, the file itself first.
    pub files: Vec<usize>,
    /// Indices of the files whose includes lead to the file, sorted.
    above: Vec<usize>,
    /// The tree's headers.
    known: Arc<Headers>,
    /// The visible headers, by number.
    headers: FixedBitSet,
    /// Headers besides.
    more: BTreeSet<String>,
    /// Whether the includes reach more files than are followed.
    pub is_cut: bool,
}

/// The includes of a tree.
pub(crate) struct Includes<'a> {
    /// The includes of a file, by its index.
    pub(crate) of: &'a dyn Fn(usize) -> &'a [Include],
    /// For each include of a file, the file of the tree that it means.
    pub(crate) resolved: &'a dyn Fn(usize) -> &'a [Option<usize>],
    /// Their paths by number.
    pub(crate) headers: &'a Arc<Headers>,
    /// How many files there are.
    pub(crate) files: usize,
    /// How many of them, and how many includes of each, are followed.
    pub(crate) most: usize,
}

impl Includes<'_> {
    /// The files that those includes of some files reach which are to be followed, `from` among them. Adds the headers
    /// on the way to `seen`. Not all, where a file has more includes than are followed, or they reach more files.
    fn reach(
        &self,
        from: &[usize],
        follow: impl Fn(&Include) -> bool,
        seen: &mut FixedBitSet,
    ) -> Reached {
        let mut reached = FixedBitSet::with_capacity(self.files);
        reached.extend(from.iter().copied());
        let mut files = Vec::new();
        let mut is_cut = false;
        let mut queue = from.to_vec();
        while let Some(file) = queue.pop() {
            if files.len() >= self.most {
                is_cut = true;
                break;
            }
            files.push(file);
            let includes = (self.of)(file);
            is_cut |= includes.len() > self.most;
            let includes = includes
                .iter()
                .take(self.most)
                .zip(self.headers.of_file(file));
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
        Reached { files, is_cut }
    }
}

/// The files and headers that includes reach.
struct Reached {
    files: Vec<usize>,
    /// Whether there are more files than these.
    is_cut: bool,
}

impl Visible {
    /// Walk from `start` along its includes: the files along those that are compiled on MUSA,
    /// the headers along all, because a name is CUDA's whichever branch brings its header.
    /// `above` are the files that include this one, sorted: a header may lean on what they
    /// include.
    pub(crate) fn of(start: usize, above: &[usize], includes: &Includes<'_>) -> Self {
        let mut headers = FixedBitSet::with_capacity(includes.headers.len());
        let context: Vec<usize> = above.iter().copied().chain([start]).collect();
        // A header without includes of its own leans on its includers for all it uses.
        let from = if (includes.of)(start).is_empty() {
            context.as_slice()
        } else {
            &[start]
        };
        let Reached { files, is_cut } = includes.reach(from, Include::is_for_musa, &mut headers);
        includes.reach(&context, |_| true, &mut headers);
        Self {
            is_cut: is_cut && from.len() == 1,
            files,
            above: above.to_vec(),
            known: Arc::clone(includes.headers),
            headers,
            more: BTreeSet::new(),
        }
    }

    /// The view of code that stands by itself in the file `start` and includes these headers.
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
            starts_with_one(name, starts)
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
    use crate::regions::Region;
    use torchada_text::TextRange;

    fn resolve(from: &str, path: &str, angled: bool) -> Option<usize> {
        let files = [
            "a/x.cuh",
            "b/x.cuh",
            "b/inc/my_math.h",
            "b/math.h",
            "b/main.cu",
            "stub/cuda_runtime.h",
            "util/cuda.h",
        ];
        let resolver = Resolver {
            places: &PathIndex::new(files.into_iter()),
            roots: &[],
            tables: Tables::builtin(),
            wraps: &|file| files.get(file) == Some(&"util/cuda.h"),
        };
        let include = Include {
            range: TextRange::new(0, 0),
            path: path.to_owned(),
            angled,
            without_cuda: false,
            region: Region::Plain,
            always: true,
        };
        resolver.resolve(from, &include)
    }

    #[test]
    fn the_nearest_file_is_meant_and_library_headers_are_not_the_trees() {
        assert_eq!(resolve("b/main.cu", "x.cuh", false), Some(1));
        assert_eq!(resolve("a/k.cu", "../b/x.cuh", false), Some(1));
        assert_eq!(resolve("b/main.cu", "x.cuh", true), Some(1));
        assert_eq!(resolve("b/main.cu", "my_math.h", true), Some(2));
        assert_eq!(resolve("b/main.cu", "math.h", true), None);
        assert_eq!(resolve("c/d/e.cu", "a/x.cuh", true), Some(0));
        assert_eq!(resolve("b/main.cu", "cuda_runtime.h", true), None);
        assert_eq!(resolve("b/main.cu", "cuda_runtime.h", false), None);
        assert_eq!(resolve("stub/k.cu", "cuda_runtime.h", false), Some(5));
        assert_eq!(resolve("stub/k.cu", "cuda_runtime.h", true), Some(5));
        assert_eq!(resolve("util/k.cu", "cuda.h", true), None);
        assert_eq!(resolve("util/k.cu", "cuda.h", false), Some(6));
    }
}
