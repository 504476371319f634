//! The files of the tree that the text of a source means.
//!
//! The text is a path that was put together by Python, below the module or below the root of the tree. Where a build runs is not
//! known, so what only the end of a path leads to is not sure.

use rustc_hash::FxHashMap;

use super::tree::PythonTree;
use super::value::{Item, ROOT};
use crate::tree::paths;
use crate::tree::patterns::with_holes;
use torchada_mapping::builds::SourceLimits;

/// The files of a tree, as the sources of its Python name them.
pub(super) struct SourceFiles<'t> {
    tree: &'t PythonTree<'t>,
    limits: SourceLimits,
    patterns: FxHashMap<String, Vec<usize>>,
    /// Whether there were more patterns than are looked up.
    pub(super) is_spent: bool,
}

/// The files that a text may mean, and whether it surely means them.
pub(super) type Candidates = (Vec<usize>, bool);

impl<'t> SourceFiles<'t> {
    pub(super) fn new(tree: &'t PythonTree<'t>, limits: SourceLimits) -> Self {
        Self {
            tree,
            limits,
            patterns: FxHashMap::default(),
            is_spent: false,
        }
    }

    /// The files that a text means, as a module of the tree names it.
    pub(super) fn files_meant(&mut self, module: usize, item: &Item) -> Candidates {
        let (mut files, is_sure) = self.named(module, &item.text);
        files.retain(|&file| {
            let path = self.tree.places.path(file);
            !item.without.iter().any(|one| one.has(path))
        });
        (files, is_sure)
    }

    fn named(&mut self, module: usize, text: &str) -> Candidates {
        let places = self.tree.places;
        let from = places.path(module);
        let folder = paths::folder(from);
        let below_root = text.strip_prefix(ROOT);
        let path = match below_root {
            Some(rest) => paths::join("", rest.trim_start_matches('/')),
            None => paths::join(folder, text.trim_start_matches('/')),
        };
        let Some(path) = path else {
            return (Vec::new(), false);
        };
        if path.contains(['*', '?', '[']) {
            let found = self.like(&path);
            if !found.is_empty() {
                return (found, true);
            }
            // The build may run elsewhere.
            let found = tail(text).map(|tail| self.like(&format!("**/{tail}")));
            return (found.unwrap_or_default(), false);
        }
        if let Some(file) = places.file_at(&path) {
            return (vec![file], true);
        }
        let mut end = path.as_str();
        for _ in 0..self.limits.folders {
            match end.split_once('/') {
                Some((_, rest)) if rest.contains('/') => end = rest,
                _ => break,
            }
            let mut found: Vec<usize> = places.ending_with(end).collect();
            found.sort_unstable();
            if !found.is_empty() {
                let is_sure = found.len() == 1;
                return (found, is_sure);
            }
        }
        (Vec::new(), false)
    }

    fn like(&mut self, pattern: &str) -> Vec<usize> {
        if let Some(found) = self.patterns.get(pattern) {
            return found.clone();
        }
        // What lies in a folder that the tree has not is made by the build.
        let mut parts = pattern
            .split('/')
            .filter(|part| !part.contains(['*', '?', '[']));
        if parts.any(|part| self.tree.places.with_part(part).is_empty()) {
            return Vec::new();
        }
        if self.patterns.len() >= self.limits.patterns {
            self.is_spent = true;
            return Vec::new();
        }
        // `[ab]` of a pattern is one letter.
        let found = self.tree.places.like(&with_holes(pattern, "[", ']'));
        self.patterns.insert(pattern.to_owned(), found.clone());
        found
    }
}

/// What stands behind the last folder of a path that is not known, or the path itself; `None` where it says too little.
fn tail(text: &str) -> Option<&str> {
    let text = text.strip_prefix(ROOT).unwrap_or(text);
    let text = text.trim_start_matches(['/', '.']);
    let known = text.rsplit("**/").next().unwrap_or(text);
    let stem = known.rsplit_once('.').map_or(known, |(stem, _)| stem);
    let says = stem.bytes().filter(|byte| !b"*?/.".contains(byte)).count();
    (known.contains('/') || says > 2)
        .then_some(known)
        .filter(|_| says > 0)
}
