//! Which files the words mean that build files hand on, and in which builds these are.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cause::{Absence, Causes};
use super::tree::Tree;
use super::walk::Handed;
use crate::project::{paths, patterns};

/// How many different patterns are looked up.
const PATTERNS: usize = 4096;

/// Ways to say where a file of `CMake`'s lies.
const HERE: [&str; 2] = ["${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/"];

/// What begins paths of files that a build makes.
const GENERATED: [&str; 3] = [
    "${CMAKE_CURRENT_BINARY_DIR}",
    "${CMAKE_BINARY_DIR}",
    "${PROJECT_BINARY_DIR}",
];

/// What build files say of each file of a tree.
#[derive(Debug)]
pub(super) struct Named {
    /// For each file, whether builds for MUSA have it, where it is named at all.
    pub(super) files: Vec<Option<Absence>>,
    /// Folders whose files are installed, each with `/` at its end.
    pub(super) installed: Vec<String>,
    patterns: BTreeSet<Arc<str>>,
}

/// The files that a word may mean.
#[derive(Default)]
struct Meant {
    /// All that it may mean.
    wide: Vec<usize>,
    /// Those that it surely means.
    sure: Vec<usize>,
}

impl Named {
    /// The files of a tree, none of which is named.
    pub(super) fn new(tree: Tree<'_>) -> Self {
        Self {
            files: vec![None; tree.files.len()],
            installed: Vec::new(),
            patterns: BTreeSet::new(),
        }
    }

    /// Take in what the file at `from` hands on, which itself may not be read; `None` where there are too many patterns.
    pub(super) fn take(
        &mut self,
        tree: Tree<'_>,
        from: usize,
        (handed, path): (&Handed, Absence),
        causes: &Causes,
    ) -> Option<()> {
        let folder = tree
            .files
            .get(from)
            .map_or("", |file| paths::folder(&file.path));
        for word in &handed.words {
            let absence = word.absence.or(path);
            let meant = self.meant(tree, folder, &word.text)?;
            let files = if absence.is_none() {
                meant.wide
            } else {
                meant.sure
            };
            for file in files {
                self.put(file, absence, causes);
            }
        }
        for word in &handed.installed {
            self.install(tree, folder, word);
        }
        Some(())
    }

    /// Note that a build file names a file.
    pub(super) fn put(&mut self, file: usize, absence: Absence, causes: &Causes) {
        if let Some(slot) = self.files.get_mut(file) {
            let so_far = slot.unwrap_or(absence);
            *slot = Some(causes.either(so_far, absence));
        }
    }

    /// A file or folder that is installed.
    fn install(&mut self, tree: Tree<'_>, folder: &str, word: &str) {
        let (word, is_here) = without_variables(word);
        let place = if is_here {
            paths::join(folder, &word)
        } else {
            None
        };
        let place = place.unwrap_or(word);
        let place = place.trim_matches('/');
        if place.is_empty() || place == "." {
            if is_here {
                self.installed.push(if folder.is_empty() {
                    String::new()
                } else {
                    format!("{folder}/")
                });
            }
        } else if tree.places.have(place) {
            self.installed.push(format!("{place}/"));
        }
    }

    /// Whether a file lies where something is installed from.
    pub(super) fn is_installed(&self, path: &str) -> bool {
        self.installed
            .iter()
            .any(|folder| path.starts_with(folder.as_str()) || path.contains(&format!("/{folder}")))
    }

    fn meant(&mut self, tree: Tree<'_>, folder: &str, word: &str) -> Option<Meant> {
        if word.contains("$<") {
            let parts = word.split([':', '>', ',', ';', '<']);
            let mut wide = Vec::new();
            for part in parts.filter(|part| part.contains('.') && !part.ends_with('$')) {
                wide.extend(self.meant(tree, folder, part)?.wide);
            }
            let sure = Vec::new();
            return Some(Meant { wide, sure });
        }
        let is_generated = |front: &&str| word.starts_with(front);
        if !word.contains('.') || GENERATED.iter().any(is_generated) {
            return Some(Meant::default());
        }
        let (path, is_here) = without_variables(word);
        if path.contains(['*', '?']) {
            return self.like(tree, folder, &path, is_here);
        }
        if is_here
            && let Some(path) = paths::join(folder, &path)
            && let Some(file) = tree.places.file_at(&path)
        {
            return Some(Meant {
                wide: vec![file],
                sure: vec![file],
            });
        }
        let end = path.trim_start_matches("./").trim_start_matches("../");
        let wide: Vec<usize> = tree.places.ending_with(end).collect();
        let sure = if wide.len() == 1 {
            wide.clone()
        } else {
            Vec::new()
        };
        Some(Meant { wide, sure })
    }

    /// The files that a pattern gives. It may be looked up in folders below its own, too.
    fn like(
        &mut self,
        tree: Tree<'_>,
        folder: &str,
        pattern: &str,
        is_here: bool,
    ) -> Option<Meant> {
        let is_new = self.patterns.insert(format!("{folder} {pattern}").into());
        if is_new && self.patterns.len() > PATTERNS {
            return None;
        }
        let fixed = pattern.split(['*', '?']).next().unwrap_or_default();
        let above = paths::join(folder, paths::folder(fixed)).filter(|_| is_here);
        let name = paths::file_name(pattern).replace('?', "*");
        let mut meant = Meant::default();
        for (at, file) in tree.files.iter().enumerate() {
            let path = file.path.as_str();
            let is_below = above.as_deref().is_none_or(|above| {
                let rest = path.strip_prefix(above);
                rest.is_some_and(|rest| above.is_empty() || rest.starts_with('/'))
            });
            if is_below && patterns::wildcard_match(&name, paths::file_name(path)) {
                meant.wide.push(at);
                if is_here && patterns::at_path(folder, pattern, path) {
                    meant.sure.push(at);
                }
            }
        }
        Some(meant)
    }

    /// The files of `CMake`'s that a word of `include` or `add_subdirectory` may mean.
    pub(super) fn entered(tree: Tree<'_>, from: usize, word: &str) -> Vec<usize> {
        let folder = tree
            .files
            .get(from)
            .map_or("", |file| paths::folder(&file.path));
        let (path, is_here) = without_variables(word);
        let path = path.trim_end_matches('/');
        let names = [
            path.to_owned(),
            format!("{path}/CMakeLists.txt"),
            format!("{path}.cmake"),
        ];
        let exact = names.iter().filter(|_| is_here).find_map(|name| {
            let path = paths::join(folder, name.trim_start_matches('/'))?;
            tree.places.file_at(&path)
        });
        if let Some(exact) = exact {
            return vec![exact];
        }
        let names = names.iter().map(|name| name.trim_start_matches('/'));
        names
            .flat_map(|name| tree.places.ending_with(name).collect::<Vec<_>>())
            .collect()
    }
}

/// A word with `*` for each variable in it, and without those that it begins with. Says, too, whether what is left is
/// to be looked for beside the file of `CMake`'s.
fn without_variables(word: &str) -> (String, bool) {
    let word = word.trim_matches('"');
    let mut rest = word;
    let mut is_here = true;
    for here in HERE {
        rest = rest.strip_prefix(here).unwrap_or(rest);
    }
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
    let mut path = String::new();
    while let Some((front, behind)) = rest.split_once("${") {
        path.push_str(front);
        path.push('*');
        rest = behind.split_once('}').map_or("", |(_, behind)| behind);
    }
    path.push_str(rest);
    (path, is_here)
}
