//! A tree as `CMake` sees it: its paths, and the commands of its files.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::PathIndex;
use crate::tree::paths;
use crate::tree::patterns::{at_path, matches_below, wildcard_match};
use torchada_syntax::cmake::Cmake;

/// What stands for the tree's folder in paths.
pub(super) const SOURCE: &str = "<source>";

/// What stands for the folder of the build.
pub(super) const BUILD: &str = "<build>";

/// A file of `CMake`'s.
#[derive(Clone, Copy, Debug)]
pub struct BuildFile<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// Its commands.
    pub commands: &'a Cmake,
}

impl BuildFile<'_> {
    /// For each command that opens a block or a branch, the place of the one that ends it, or begins the next branch.
    pub(super) fn ends(self) -> Vec<usize> {
        let commands = &self.commands.commands;
        let mut ends = vec![commands.len(); commands.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, command) in commands.iter().enumerate() {
            match command.lower_name() {
                "if" | "foreach" | "while" | "function" | "macro" => open.push(at),
                "elseif" | "else" => {
                    if let Some(end) = open.pop().and_then(|before| ends.get_mut(before)) {
                        *end = at;
                    }
                    open.push(at);
                }
                "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" => {
                    if let Some(end) = open.pop().and_then(|before| ends.get_mut(before)) {
                        *end = at;
                    }
                }
                _ => {}
            }
        }
        ends
    }
}

/// A tree.
pub struct BuildTree<'a> {
    /// The paths of all files.
    places: &'a PathIndex,
    /// The files of `CMake`'s, by index.
    files: Vec<Option<BuildFile<'a>>>,
    /// The files of each folder.
    folders: OnceLock<FxHashMap<String, Vec<usize>>>,
}

impl<'a> BuildTree<'a> {
    /// A tree with these paths, of which some are files of `CMake`'s.
    pub fn new(places: &'a PathIndex, files: Vec<Option<BuildFile<'a>>>) -> Self {
        Self {
            places,
            files,
            folders: OnceLock::new(),
        }
    }

    /// How many files there are.
    pub(super) fn size(&self) -> usize {
        self.places.size()
    }

    /// The file of `CMake`'s at `index`.
    pub(super) fn file(&self, index: usize) -> Option<BuildFile<'a>> {
        *self.files.get(index)?
    }

    /// All files of `CMake`'s, with their indices.
    pub(super) fn cmake(&self) -> impl Iterator<Item = (usize, BuildFile<'a>)> {
        let all = self.files.iter().enumerate();
        all.filter_map(|(at, file)| Some((at, (*file)?)))
    }

    /// The indices of all files of `CMake`'s, by path.
    pub(super) fn lists(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.cmake().map(|(at, _)| at).collect();
        found.sort_by_key(|&at| self.places.path(at));
        found
    }

    pub(super) fn path(&self, index: usize) -> &'a str {
        self.places.path(index)
    }

    /// The file at a path.
    pub(super) fn at(&self, path: &str) -> Option<usize> {
        self.places.file_at(path)
    }

    /// The file of `CMake`'s that a path leads to, seen from a folder. Where its first folders are not known, it is the
    /// nearest one whose path ends as the rest does.
    pub(super) fn list_at(&self, from: &str, folder: &str, path: &str) -> Option<usize> {
        let found = match in_tree(folder, path) {
            Some(path) => self.at(&path),
            None => self.places.nearest(from, known_end(path)?),
        };
        found.filter(|&at| self.file(at).is_some())
    }

    /// The files that a pattern means, seen from a folder, by path; `None` where the pattern is not known.
    pub fn glob(&self, folder: &str, pattern: &str, is_deep: bool) -> Option<Vec<usize>> {
        let whole = in_tree(folder, pattern);
        let name = paths::file_name(pattern);
        if name.contains('$') || name.is_empty() {
            return None;
        }
        let shown = name.replace('?', "*");
        let called = |at: &usize| wildcard_match(&shown, paths::file_name(self.path(*at)));
        let mut found: Vec<usize> = match whole {
            Some(whole) if is_deep => {
                let (above, name) = whole.rsplit_once('/').unwrap_or(("", &whole));
                if above.contains(['*', '?']) {
                    self.places.like(&format!("{above}/**/{name}"))
                } else {
                    let files = self.places.beginning_with(above).iter().copied();
                    files
                        .filter(called)
                        .filter(|&at| matches_below(above, name, self.path(at)))
                        .collect()
                }
            }
            Some(whole) => {
                let above = paths::folder(&whole);
                if above.contains(['*', '?']) {
                    self.places.like(&whole)
                } else {
                    let here = self.folders().get(above).map_or(&[][..], Vec::as_slice);
                    let here = here.iter().copied();
                    here.filter(|&at| at_path("", &whole, self.path(at)))
                        .collect()
                }
            }
            None => {
                let end = known_end(pattern).filter(|end| end.contains('/'))?;
                self.places.like(&if is_deep {
                    format!("**/{}/**/{name}", paths::folder(end))
                } else {
                    format!("**/{end}")
                })
            }
        };
        found.sort_by_key(|&at| self.path(at));
        Some(found)
    }

    fn folders(&self) -> &FxHashMap<String, Vec<usize>> {
        self.folders.get_or_init(|| {
            let mut folders: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for at in 0..self.size() {
                let folder = paths::folder(self.path(at)).to_owned();
                folders.entry(folder).or_default().push(at);
            }
            folders
        })
    }
}

/// The path of the tree that a text means, seen from a folder of it.
pub fn in_tree(folder: &str, path: &str) -> Option<String> {
    if let Some(rest) = source_path(path) {
        return paths::join("", rest);
    }
    let is_elsewhere = is_made(path) || path.contains('$');
    (!is_elsewhere).then(|| paths::join(folder, path)).flatten()
}

/// What stands behind the tree's folder in a path that begins with it.
pub fn source_path(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(SOURCE)?;
    Some(rest.trim_start_matches('/'))
}

/// Whether a path leads to what the build makes.
pub fn is_made(path: &str) -> bool {
    path.starts_with(BUILD)
}

/// What stands behind the last folder of a path that is not known.
fn known_end(path: &str) -> Option<&str> {
    let unknown = path.rfind('}')?;
    let rest = path.get(unknown + 1..)?;
    let (_, rest) = rest.split_once('/')?;
    (!rest.is_empty()).then_some(rest)
}

/// The text of a folder or file of the tree, as variables hold it.
pub(super) fn as_source(path: &str) -> String {
    if path.is_empty() {
        SOURCE.to_owned()
    } else {
        format!("{SOURCE}/{path}")
    }
}

/// The text of the folder of the build that belongs to a folder of the tree.
pub(super) fn as_build(path: &str) -> String {
    if path.is_empty() {
        BUILD.to_owned()
    } else {
        format!("{BUILD}/{path}")
    }
}
