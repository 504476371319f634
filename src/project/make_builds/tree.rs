//! A tree as its makefiles see it, and what is found in it.

use std::collections::BTreeMap;

use super::makefile::Makefile;
use crate::PathIndex;
use torchada_mapping::files::FileTable;
use torchada_text::TextRange;

/// What the makefiles of a tree hand to compilers of GPUs.
#[derive(Default, Debug)]
pub struct MakeBuilds {
    /// For each makefile and each source, by their indices, the rule that compiles it.
    pub compiled: BTreeMap<(usize, usize), TextRange>,
    /// For each makefile and each source that one of its rules makes, by its name without the ending, the rule that compiles
    /// it, and the whole name.
    pub made: BTreeMap<(usize, String), (TextRange, String)>,
    /// Variables of makefiles that a program gives names of sources, by place.
    pub open: Vec<(usize, TextRange)>,
}

/// A tree as its makefiles see it.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    /// The makefiles, by the indices of their files.
    pub(super) read: &'a BTreeMap<usize, Makefile<'a>>,
    /// The paths of all files.
    pub(super) places: &'a PathIndex,
    /// Programs that compile for GPUs.
    pub(super) compilers: &'a [&'a str],
    /// Kinds of files.
    pub(super) files: &'a FileTable,
}

impl Tree<'_> {
    /// Whether a name is one of a source for GPUs.
    pub(super) fn is_for_gpus(self, name: &str) -> bool {
        self.files.is_cuda(name) || self.files.is_musa(name)
    }
}
