//! Where paths, and the parts of paths, are in a tree.

use rustc_hash::FxHashMap;

use super::paths;

/// The files of a tree by path, and by the names of folders and files in their paths.
#[derive(Default, Debug)]
pub struct Places {
    paths: Vec<String>,
    by_path: FxHashMap<String, usize>,
    by_part: FxHashMap<String, Vec<usize>>,
}

impl Places {
    /// The places of these files, in the order of their indices.
    pub(super) fn new<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let mut places = Self::default();
        for (at, path) in files.enumerate() {
            for part in path.split('/') {
                match places.by_part.get_mut(part) {
                    Some(files) if files.last() == Some(&at) => {}
                    Some(files) => files.push(at),
                    None => {
                        places.by_part.insert(part.to_owned(), vec![at]);
                    }
                }
            }
            places.by_path.insert(path.to_owned(), at);
            places.paths.push(path.to_owned());
        }
        places
    }

    /// The path of a file; empty where there is none.
    pub(super) fn path(&self, file: usize) -> &str {
        self.paths.get(file).map_or("", String::as_str)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The files in whose paths a name stands, as that of the file or of a folder above it.
    pub fn with_part(&self, name: &str) -> &[usize] {
        self.by_part.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files whose paths are this one, or end with it below a folder.
    pub fn ending_with<'p>(&'p self, end: &'p str) -> impl Iterator<Item = usize> + 'p {
        let files = self.with_part(paths::file_name(end)).iter().copied();
        files.filter(move |&at| {
            let path = self.paths.get(at);
            path.is_some_and(|path| paths::ends_with(path, end))
        })
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
                let mut from = path.as_str();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_paths_are_found_one_behind_the_other() {
        let places = Places::new(["a/b/c.h", "b/a/d.h"].into_iter());
        assert!(places.have("a/b") && places.have("b/c.h") && places.have("d.h"));
        assert!(!places.have("a/c.h") && !places.have("b/c") && !places.have(""));
        assert_eq!(places.file_at("b/a/d.h"), Some(1));
    }
}
