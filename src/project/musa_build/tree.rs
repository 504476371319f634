//! What the decision about the parts of a tree looks at.

use crate::project::context::Context;
use crate::project::facts::FileFacts;
use crate::project::source::Input;

/// The files of a tree, with what they say.
#[derive(Clone, Copy)]
pub(in crate::project) struct Tree<'a> {
    pub(in crate::project) inputs: &'a [Input],
    pub(in crate::project) facts: &'a [FileFacts],
    /// For each include of a file, the file of the tree that it means.
    pub(in crate::project) resolved: &'a [Vec<Option<usize>>],
    pub(in crate::project) context: Context<'a>,
}
