//! The files of a tree once each has been scanned by itself, before it is decided which of them are translated.

use super::path_index::PathIndex;
use super::source::Input;
use crate::context::Context;
use crate::facts::FileFacts;

/// The files of a tree, with what they say.
#[derive(Clone, Copy)]
pub(crate) struct ScannedTree<'a> {
    pub(crate) inputs: &'a [Input],
    pub(crate) places: &'a PathIndex,
    pub(crate) facts: &'a [FileFacts],
    /// For each include of a file, the file of the tree that it means.
    pub(crate) resolved: &'a [Vec<Option<usize>>],
    pub(crate) context: Context<'a>,
}
