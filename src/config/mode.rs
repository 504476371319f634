//! The input of a run, and where its result goes.

use std::path::{Path, PathBuf};

/// The place where the result of a single file goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sink {
    /// Standard output.
    Stdout,
    /// This file, which must not be there.
    File(PathBuf),
}

/// A folder with CUDA files and the folder beside it that gets the MUSA files.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LayoutPair {
    /// Relative to the root.
    pub from: PathBuf,
    /// Relative to the root.
    pub to: PathBuf,
}

/// What a run reads and where its result goes. Roots and outputs are absolute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A whole tree, to another.
    Tree {
        /// The tree.
        input: PathBuf,
        /// The new tree.
        output: PathBuf,
    },
    /// One file, to another or to standard output.
    File {
        /// The file, absolute.
        input: PathBuf,
        /// The tree that it belongs to, if that was given.
        root: Option<PathBuf>,
        /// The place where the result goes.
        output: Sink,
    },
    /// Standard input, to standard output or a file.
    Stdin {
        /// The file's name: relative to `root` if `root` is set and contains it.
        path: Option<PathBuf>,
        /// The tree that it belongs to, if that was given.
        root: Option<PathBuf>,
        /// The place where the result goes.
        output: Sink,
    },
    /// A folder of a tree, to another; the rest of the tree is read but not written.
    Part {
        /// The tree.
        root: PathBuf,
        /// The folder, relative to the tree.
        subdir: PathBuf,
        /// The new folder, which takes the content of `subdir`.
        output: PathBuf,
    },
    /// Folders of a tree, into others beside them in the same tree.
    Layout {
        /// The tree.
        root: PathBuf,
        /// The folders, each with the folder that its port goes to.
        pairs: Vec<LayoutPair>,
    },
    /// A tree, or a folder of it, in its own place.
    InPlace {
        /// The tree.
        root: PathBuf,
        /// The folder or file that is ported, relative to the tree, where it is not all of it.
        subdir: Option<PathBuf>,
    },
}

impl Mode {
    /// The root of the input tree, where there is one.
    pub fn root(&self) -> Option<&Path> {
        match self {
            Self::Tree { input: root, .. }
            | Self::Part { root, .. }
            | Self::Layout { root, .. }
            | Self::InPlace { root, .. } => Some(root),
            Self::File { root, .. } | Self::Stdin { root, .. } => root.as_deref(),
        }
    }

    /// The folder that takes the result, where that is one of its own.
    pub fn output_folder(&self) -> Option<&Path> {
        match self {
            Self::Tree { output, .. } | Self::Part { output, .. } => Some(output),
            _ => None,
        }
    }

    /// Whether a file of the tree is ported, by its path relative to the root.
    pub fn takes(&self, path: &Path) -> bool {
        match self {
            Self::Part { subdir, .. }
            | Self::InPlace {
                subdir: Some(subdir),
                ..
            } => path.starts_with(subdir),
            Self::Layout { pairs, .. } => pairs.iter().any(|pair| path.starts_with(&pair.from)),
            _ => true,
        }
    }

    /// Where a folder layout puts a file; both paths are relative to the root.
    pub fn moved(&self, path: &Path) -> Option<PathBuf> {
        let Self::Layout { pairs, .. } = self else {
            return None;
        };
        pairs
            .iter()
            .find_map(|pair| Some(pair.to.join(path.strip_prefix(&pair.from).ok()?)))
    }

    /// Whether a whole tree is the result.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Tree { .. } | Self::InPlace { subdir: None, .. })
    }
}
