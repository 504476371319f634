//! The paths that a tree includes, each by a number, so that what a file sees is a set of numbers.

use crate::facts::FileFacts;

/// The paths, and which of them each file includes.
#[derive(Default, Debug)]
pub(crate) struct Headers {
    /// Sorted, so that a folder's headers stand together.
    paths: Vec<String>,
    /// For each file, the numbers of the paths that it includes, in the order of its includes.
    of_file: Vec<Vec<usize>>,
}

impl Headers {
    /// The paths that files with these facts include.
    pub(crate) fn new<'a>(files: impl Iterator<Item = &'a FileFacts> + Clone) -> Self {
        let includes = files.clone().flat_map(|facts| &facts.includes);
        let mut paths: Vec<&str> = includes.map(|include| include.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        let number = |path: &str| paths.partition_point(|known| *known < path);
        let of_file = files
            .map(|facts| facts.includes.iter().map(|one| number(&one.path)).collect())
            .collect();
        Self {
            of_file,
            paths: paths.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The number of headers.
    pub(crate) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The numbers of what a file includes.
    pub(crate) fn of_file(&self, file: usize) -> &[usize] {
        self.of_file.get(file).map_or(&[], Vec::as_slice)
    }

    /// The path with a number.
    pub(crate) fn path(&self, number: usize) -> &str {
        self.paths.get(number).map_or("", String::as_str)
    }

    /// The numbers of the paths that are `need`, or that start with it where it ends in `/`.
    pub(crate) fn matching(&self, need: &str) -> std::ops::Range<usize> {
        let start = self.paths.partition_point(|path| path.as_str() < need);
        let rest = self.paths.get(start..).unwrap_or_default();
        let is_one = |path: &String| {
            if need.ends_with('/') {
                path.starts_with(need)
            } else {
                path == need
            }
        };
        start..start + rest.partition_point(is_one)
    }
}
