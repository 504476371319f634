//! Parameters that are keys of registries: `def register(backend)` keeps a class under a name of the project's own.

use crate::python::ModuleView;
use crate::python::inference::uses::name_uses::in_scope;
use torchada_syntax::python::{Consumer, Field, NodeId};

/// Whether a parameter of a function of the file only ever is a key under which the function keeps or finds something:
/// `registry[backend] = engine`.
pub fn is_only_key(view: &ModuleView<'_>, function: NodeId, name: &[u8]) -> bool {
    let Some(body) = view.module.tree.child(function, Field::Body) else {
        return false;
    };
    let (mut is_key, mut is_other) = (false, false);
    let scope = view.module.scope_of(body);
    in_scope(view, scope, name, &mut |node| {
        let of = view.module.use_of(node);
        match of.consumer {
            Consumer::Item { .. } if !of.is_part() => is_key = true,
            Consumer::Message | Consumer::Comparison { .. } => {}
            _ if of.is_part() => {}
            _ => is_other = true,
        }
    });
    is_key && !is_other
}
