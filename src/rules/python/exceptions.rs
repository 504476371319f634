//! Whether an exception is caught by a handler that goes on.

use super::ModuleView;
use torchada_syntax::python::{Field, Kind, NodeId, Tree};

/// How far the search goes outwards.
const REACH: usize = 64;

/// Whether a handler around a node, in the same function, catches an exception that is raised there and does not end with
/// one of its own. `catches` says whether a handler does, by its head: `except ValueError`.
pub fn is_caught(view: &ModuleView<'_>, node: NodeId, catches: &dyn Fn(&str) -> bool) -> bool {
    let tree = &view.module.tree;
    let mut below = node;
    for up in tree.ancestors(node).take(REACH) {
        match tree.kind(up) {
            Kind::Function | Kind::Class => return false,
            Kind::Try if tree.field(below) == Field::Body => {
                let mut handlers = tree
                    .children(up)
                    .filter(|&part| tree.kind(part) == Kind::Except);
                let goes_on = |handler: NodeId| {
                    let text = tree.word(handler);
                    let head = text.split(|&byte| byte == b':').next().unwrap_or_default();
                    !raises_again(tree, handler) && catches(&String::from_utf8_lossy(head))
                };
                if handlers.any(goes_on) {
                    return true;
                }
            }
            _ => {}
        }
        below = up;
    }
    false
}

/// Whether a handler ends with an exception of its own, so that the program stops all the same.
fn raises_again(tree: &Tree<'_>, handler: NodeId) -> bool {
    let body = tree
        .children(handler)
        .find(|&part| tree.kind(part) == Kind::Block);
    let last = body.and_then(|body| tree.children(body).last());
    last.is_some_and(|last| tree.kind(last) == Kind::Raise)
}
