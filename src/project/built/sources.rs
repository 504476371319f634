//! Which files the words mean that build files hand on, and in which builds these are.
//!
//! The walk through the build files gives the folder of each word, so most words mean one file. Of another word, every file that it
//! may mean counts as built, and only those that it surely means can count as not built.

use std::collections::BTreeSet;

use super::tree::Tree;
use crate::cmake::replay::{
    Absence, BuildTree, HandedFiles, either, in_tree, is_made, source_path,
};
use crate::tree::patterns::with_holes;
use torchada_mapping::builds::WalkLimits;

/// What build files say of each file of a tree.
#[derive(Clone, Debug)]
pub(super) struct NamedSources {
    /// For each file, whether builds for MUSA have it, where it is named at all.
    pub(super) files: Vec<Option<Absence>>,
    /// Folders whose files are installed, each with `/` at its end.
    pub(super) installed: Vec<String>,
    patterns: BTreeSet<String>,
}

/// The files that a word may mean.
#[derive(Default)]
struct Candidates {
    /// All files that the word may mean.
    possible: Vec<usize>,
    /// The files that the word surely means.
    certain: Vec<usize>,
}

impl NamedSources {
    /// The files of a tree that words mean which are handed on; `None` where there are too many patterns.
    pub(super) fn new(tree: Tree<'_>, handed: &HandedFiles, limits: WalkLimits) -> Option<Self> {
        let build = BuildTree::new(tree.places, Vec::new());
        let mut named = Self {
            files: vec![None; tree.files.len()],
            installed: Vec::new(),
            patterns: BTreeSet::new(),
        };
        for ((folder, word), absence) in &handed.words {
            let candidates = named.candidates(tree, &build, folder, word);
            if named.patterns.len() > limits.globs {
                return None;
            }
            let files = if absence.is_none() {
                candidates.possible
            } else {
                candidates.certain
            };
            for file in files {
                named.put(file, absence.clone());
            }
        }
        for (folder, word) in &handed.installed {
            let (path, is_here) = without_variables(word);
            let place = in_tree(folder, &path).filter(|_| is_here).unwrap_or(path);
            if place.is_empty() {
                named.installed.push(String::new());
            } else if tree.places.have(&place) {
                named.installed.push(format!("{place}/"));
            }
        }
        Some(named)
    }

    /// Note that a build file names a file.
    pub(super) fn put(&mut self, file: usize, absence: Absence) {
        if let Some(slot) = self.files.get_mut(file) {
            let so_far = slot.take().unwrap_or_else(|| absence.clone());
            *slot = Some(either(so_far, absence));
        }
    }

    /// Whether a file lies where something is installed from.
    pub(super) fn is_installed(&self, path: &str) -> bool {
        self.installed
            .iter()
            .any(|folder| path.starts_with(folder.as_str()) || path.contains(&format!("/{folder}")))
    }

    fn candidates(
        &mut self,
        tree: Tree<'_>,
        build: &BuildTree<'_>,
        folder: &str,
        word: &str,
    ) -> Candidates {
        if word.contains("$<") {
            let parts = word.split([':', '>', ',', ';', '<']);
            let mut possible = Vec::new();
            for part in parts.filter(|part| part.contains('.') && !part.ends_with('$')) {
                possible.extend(self.candidates(tree, build, folder, part).possible);
            }
            let certain = Vec::new();
            return Candidates { possible, certain };
        }
        if !word.contains('.') || is_made(word) {
            return Candidates::default();
        }
        let (path, is_here) = without_variables(word);
        let whole = in_tree(folder, &path).filter(|_| is_here);
        if path.contains(['*', '?']) {
            // A pattern may be looked up in folders below its own, too.
            let pattern = whole.unwrap_or_else(|| format!("**/{path}"));
            let files = |is_deep| build.glob("", &pattern, is_deep).unwrap_or_default();
            let candidates = Candidates {
                possible: files(true),
                certain: if is_here { files(false) } else { Vec::new() },
            };
            self.patterns.insert(pattern);
            return candidates;
        }
        if let Some(file) = whole.and_then(|path| tree.places.file_at(&path)) {
            return Candidates {
                possible: vec![file],
                certain: vec![file],
            };
        }
        let from_source = source_path(&path);
        let end = from_source.unwrap_or(&path);
        let mut end = end.trim_start_matches("./").trim_start_matches("../");
        let mut possible: Vec<usize> = tree.places.ending_with(end).collect();
        let certain = if possible.len() == 1 {
            possible.clone()
        } else {
            Vec::new()
        };
        // The folder that the build is in may be another one than it seems.
        while possible.is_empty()
            && from_source.is_some()
            && let Some((_, rest)) = end.split_once('/')
        {
            end = rest;
            possible = tree.places.ending_with(end).collect();
        }
        Candidates { possible, certain }
    }
}

/// A word with `*` for each variable in it, and without those that it begins with. Says, too, whether what is left is
/// to be looked for in the folder that the build is in.
fn without_variables(word: &str) -> (String, bool) {
    let mut rest = word.trim_matches('"');
    let mut is_here = true;
    while rest.starts_with("${")
        && let Some((_, behind)) = rest.split_once('}')
        && behind.starts_with('/')
    {
        is_here = false;
        rest = behind.trim_start_matches('/');
    }
    if rest.starts_with('/') {
        is_here = false;
        rest = rest.trim_start_matches('/');
    }
    (with_holes(rest, "${", '}'), is_here)
}
