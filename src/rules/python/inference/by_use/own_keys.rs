//! Dictionaries whose keys are words of the project's own.

use super::dictionaries::key_looked_up;
use crate::python::ModuleView;
use crate::python::inference::uses::callee::only_value;
use crate::python::inference::uses::name_uses::each_use;
use torchada_mapping::has;
use torchada_syntax::python::{Kind, Literal, NodeId};

/// Whether a variable holds a dictionary that has other keys than platforms, and whose keys are all written where they are
/// looked up: `states["numpy"]` beside `states["cuda"]`.
pub fn has_own_keys(view: &ModuleView<'_>, table: NodeId) -> bool {
    let tree = &view.module.tree;
    if tree.kind(table) != Kind::Identifier {
        return false;
    }
    let (mut has_own, mut is_open) = (false, false);
    let mut note = |view: &ModuleView<'_>, key: NodeId| {
        let text = Literal::plain(&view.module.tree, key);
        match text {
            Some(text) => has_own |= !is_platform(view, text.value()),
            None => is_open = true,
        }
    };
    let written = only_value(view, table).filter(|&one| tree.kind(one) == Kind::Dictionary);
    for key in written.into_iter().flat_map(|one| tree.keys(one)) {
        note(view, key);
    }
    each_use(view, table, &mut |other, node| {
        if let Some(key) = key_looked_up(other, node) {
            note(other, key);
        }
    });
    has_own && !is_open
}

/// Whether a text names a platform, the host among them.
fn is_platform(view: &ModuleView<'_>, text: &[u8]) -> bool {
    let vendors = &view.python_values().vendors;
    let mut devices = view.context.knowledge.devices.iter();
    [&vendors.host, &vendors.others, &vendors.any_gpu]
        .into_iter()
        .any(|words| has(words, text))
        || devices.any(|one| {
            [&one.cuda, &one.to]
                .iter()
                .any(|word| word.as_bytes() == text)
        })
}
