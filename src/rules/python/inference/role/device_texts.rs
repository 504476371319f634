//! Texts that name a device by their form: `cuda`, `cuda:0`.

use crate::python::ModuleView;
use torchada_mapping::knowledge::DeviceName;
use torchada_syntax::HOLE;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// Whether an expression is a text that only a device is: `"cuda:0"`.
pub fn names_numbered_device(view: &ModuleView<'_>, node: NodeId) -> bool {
    let literal = Literal::read(&view.module.tree, node);
    literal.is_some_and(|literal| {
        let device = cudas_device(view, &literal);
        device.is_some_and(|one| literal.value().len() > one.cuda.len())
    })
}

/// The object whose type an expression is: `x` in `x.type`.
pub fn typed_object(view: &ModuleView<'_>, expression: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let is_type =
        tree.kind(expression) == Kind::Attribute && *view.module.last_name(expression) == *b"type";
    tree.child(expression, Field::Object).filter(|_| is_type)
}

/// Whether a text names CUDA's device.
pub fn names_cudas_device(view: &ModuleView<'_>, literal: &Literal) -> bool {
    cudas_device(view, literal).is_some()
}

/// Whether a node is a text that names CUDA's device.
pub fn is_cudas_device(view: &ModuleView<'_>, node: NodeId) -> bool {
    let text = Literal::read(&view.module.tree, node);
    text.is_some_and(|text| names_cudas_device(view, &text))
}

/// CUDA's device that a text names.
pub fn cudas_device<'v>(view: &ModuleView<'v>, literal: &Literal) -> Option<&'v DeviceName> {
    let mut devices = view.context.knowledge.devices.iter();
    devices.find(|one| names_device(literal, &one.cuda))
}

/// `cuda`, `cuda:0`, `cuda:` before something that is put in; not `cuda_kernel`, not a sentence.
pub fn names_device(literal: &Literal, cuda: &str) -> bool {
    let value = literal.text().into_owned();
    let Some(rest) = value.strip_prefix(cuda) else {
        return false;
    };
    let Some(index) = rest.strip_prefix(':') else {
        return rest.is_empty();
    };
    let index = index.replace(HOLE, "");
    // `"cuda: " + number`
    let index = index.trim_end();
    index.bytes().all(|byte| byte.is_ascii_digit()) || is_placeholder(index)
}

/// Whether a text is one place where `%` or `format` puts something in: `%d`, `%02d`, `{}`, `{rank:d}`.
fn is_placeholder(text: &str) -> bool {
    let field = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let converted = || {
        let width = text.strip_prefix('%')?.strip_suffix(['d', 'i', 's']);
        width.map(|width| width.bytes().all(|byte| byte.is_ascii_digit()))
    };
    field.is_some_and(|field| !field.contains(['{', '}', ' '])) || converted().unwrap_or_default()
}

/// `cuda` before something that is put in right behind it, and nothing else.
pub fn puts_in_suffix(literal: &Literal, cuda: &str) -> bool {
    let value = literal.text().into_owned();
    value
        .strip_prefix(cuda)
        .is_some_and(|rest| rest == HOLE || is_placeholder(rest))
}
