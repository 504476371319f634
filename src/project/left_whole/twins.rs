//! Files of CUDA's that stand beside their counterparts for MUSA: somebody has ported them already.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use torchada_classify::FileKind;
use torchada_mapping::knowledge::{Knowledge, TwinWords};

use crate::tree::paths;
use crate::tree::source::Input;

/// A folder or a file of CUDA's, and its twin for MUSA.
type Pair = (String, String);

/// Files that have a MUSA twin, with what stands for each: the folder or file that is left, and
/// its twin.
pub fn twins(files: &[Input], knowledge: &Knowledge) -> BTreeMap<usize, Pair> {
    let tree = PathsOfTree {
        files: files.iter().map(|file| &*file.path).collect(),
        folders: folders_of_code(files),
        knowledge,
    };
    // A folder is a twin when a source in it answers one of ours: a folder that only builds the
    // CUDA sources once more is none.
    let mut real: FxHashSet<Pair> = FxHashSet::default();
    for file in files.iter().filter(|file| file.class.kind.is_cpp()) {
        if let Some(pair) = tree.twin_folder(&file.path) {
            let there = in_twin(&file.path, &pair);
            if tree.files.contains(there.as_str()) || tree.twin_of_file(&there).is_some() {
                real.insert(pair);
            }
        }
    }
    let mut found = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let path = &*file.path;
        let folder = || tree.twin_folder(path).filter(|pair| real.contains(pair));
        let pair = match file.class.kind {
            // What builds the folder that is left says nothing of its twin, which has a build file of its own.
            FileKind::Build => {
                folder().filter(|pair| tree.files.contains(in_twin(path, pair).as_str()))
            }
            kind if kind.is_cpp() => folder().or_else(|| {
                let twin = tree.twin_of_file(path)?;
                Some((path.to_owned(), twin))
            }),
            _ => None,
        };
        found.extend(pair.map(|pair| (index, pair)));
    }
    found
}

/// The folders that code of any platform's, or what builds it, lies below.
fn folders_of_code(files: &[Input]) -> FxHashSet<&str> {
    let mut folders = FxHashSet::default();
    for file in files {
        if !matches!(
            file.class.kind,
            FileKind::Cuda
                | FileKind::CudaHeader
                | FileKind::Cpp
                | FileKind::Musa
                | FileKind::Build
        ) {
            continue;
        }
        let mut folder = paths::folder(&file.path);
        while !folder.is_empty() && folders.insert(folder) {
            folder = paths::folder(folder);
        }
    }
    folders
}

/// The place of a file of the folder of a pair in the folder's twin.
fn in_twin(path: &str, (folder, twin): &Pair) -> String {
    let below = path.strip_prefix(folder.as_str()).unwrap_or_default();
    format!("{twin}{below}")
}

/// The paths among which twins are looked for.
struct PathsOfTree<'a> {
    files: FxHashSet<&'a str>,
    folders: FxHashSet<&'a str>,
    knowledge: &'a Knowledge,
}

impl PathsOfTree<'_> {
    /// The nearest folder around a file that has a folder named as its twin beside it, and that folder.
    fn twin_folder(&self, path: &str) -> Option<Pair> {
        let mut folder = paths::folder(path);
        while !folder.is_empty() {
            let twin = to_musa(paths::file_name(folder), &self.knowledge.twins)
                .map(|twin| paths::sibling(folder, &twin))
                .filter(|twin| self.folders.contains(twin.as_str()));
            if let Some(twin) = twin {
                return Some((folder.to_owned(), twin));
            }
            folder = paths::folder(folder);
        }
        None
    }

    /// The twin of a file in the same folder.
    fn twin_of_file(&self, path: &str) -> Option<String> {
        let mut names = twin_names(path, self.knowledge).into_iter();
        names.find(|twin| self.files.contains(twin.as_str()))
    }
}

/// The names that a file's MUSA twin could have, in the same folder.
fn twin_names(path: &str, knowledge: &Knowledge) -> Vec<String> {
    let name = paths::file_name(path);
    let mut names = Vec::new();
    names.extend(knowledge.files.with_musa_ending(name));
    if let Some(renamed) = to_musa(name, &knowledge.twins) {
        names.extend(knowledge.files.with_musa_ending(&renamed));
        names.push(renamed);
    }
    let names = names.iter();
    names.map(|name| paths::sibling(path, name)).collect()
}

/// A name with CUDA's word in it, with MUSA's in its place.
fn to_musa(name: &str, words: &TwinWords) -> Option<String> {
    let mut words = words.words.iter();
    let (cuda, musa) = words.find(|(cuda, _)| name.contains(cuda.as_str()))?;
    Some(name.replace(cuda, musa))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left_whole::listing;

    #[test]
    fn a_folder_or_file_with_a_musa_twin_is_found() {
        let files = listing(&[
            "csrc/cuda/k.cu",
            "csrc/musa/k.mu",
            "one.cu",
            "one.mu",
            "ops_cuda.cpp",
            "ops_musa.cpp",
            "other/cuda/k.cu",
            "csrc/cuda/CMakeLists.txt",
            "csrc/musa/CMakeLists.txt",
            "csrc/cuda/Makefile",
        ]);
        let found: Vec<usize> = twins(&files, Knowledge::builtin()).into_keys().collect();
        assert_eq!(found, [0, 2, 4, 7]);
    }
}
