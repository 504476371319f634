//! Arguments that are plain texts.

use crate::python::ModuleView;
use torchada_syntax::python::{Literal, NodeId};

/// The text of an argument that is a plain string.
pub fn first_text(view: &ModuleView<'_>, call: NodeId, position: usize) -> Option<String> {
    plain_text(view, view.module.tree.argument(call, position)?)
}

pub(in crate::python::inference) fn plain_text(
    view: &ModuleView<'_>,
    node: NodeId,
) -> Option<String> {
    let literal = Literal::read(&view.module.tree, node)?;
    let text = literal.is_plain().then(|| literal.value().to_vec())?;
    String::from_utf8(text).ok()
}
