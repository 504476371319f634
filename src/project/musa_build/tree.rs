//! What the decision about the parts of a tree looks at.

use crate::context::Context;
use crate::facts::FileFacts;
use crate::tree::source::Input;

/// The files of a tree, with what they say.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    pub(crate) inputs: &'a [Input],
    pub(crate) facts: &'a [FileFacts],
    /// For each include of a file, the file of the tree that it means.
    pub(crate) resolved: &'a [Vec<Option<usize>>],
    pub(crate) context: Context<'a>,
}
