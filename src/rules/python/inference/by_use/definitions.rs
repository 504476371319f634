//! The values that a name can have, as far as the assignments of its module show them.

use super::test_cases::case_names;
use crate::python::ModuleView;
use crate::python::inference::limits::VALUES_OF_NAME;
use torchada_mapping::has;
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, NodeId};

/// The values that are written for a name: those that are assigned to it, its default, the items of the loop that sets it,
/// and those that a test is run with.
pub fn written_values(view: &ModuleView<'_>, name: NodeId) -> Vec<NodeId> {
    let tree = &view.module.tree;
    let word = tree.word(name);
    let mut found = Vec::new();
    let bindings = view.module.bindings(name, word).1.iter();
    for binding in bindings.take(VALUES_OF_NAME) {
        let up = tree.parent(binding.at);
        match binding.what {
            BoundValue::Value(value) => found.push(value),
            BoundValue::Parameter => {
                found.extend(up.and_then(|one| tree.child(one, Field::Value)));
                found.extend(cases(view, binding.at, word));
            }
            BoundValue::Unknown => {
                let of = up.filter(|&up| matches!(tree.kind(up), Kind::For | Kind::ForIn));
                let list = of.and_then(|of| tree.child(of, Field::Right));
                found.extend(list.into_iter().flat_map(|list| items(view, list)));
            }
            _ => {}
        }
    }
    found.truncate(VALUES_OF_NAME);
    found
}

/// The items of a list, or of those that a name is bound to.
fn items(view: &ModuleView<'_>, list: NodeId) -> Vec<NodeId> {
    let tree = &view.module.tree;
    if tree.kind(list) != Kind::Identifier {
        return tree.children(list).take(VALUES_OF_NAME).collect();
    }
    let bindings = view.module.meanings(list).iter();
    let values = bindings.take(VALUES_OF_NAME).filter_map(Binding::value);
    values
        .flat_map(|value| tree.children(value).take(VALUES_OF_NAME))
        .collect()
}

/// The values that a test is run with for a parameter: `parametrize("device", ["cpu", "cuda"])`.
fn cases(view: &ModuleView<'_>, parameter: NodeId, word: &[u8]) -> Vec<NodeId> {
    let tree = &view.module.tree;
    let words = &view.python_values().words_of_calls;
    let decorated = tree
        .function_around(parameter)
        .and_then(|function| tree.decorated(function));
    let decorators = decorated.into_iter().flat_map(|up| tree.decorators(up));
    let calls = decorators.filter(|&call| has(&words.runs, view.module.callee_word(call)));
    let mut found = Vec::new();
    for call in calls {
        let names = case_names(view, call);
        let Some(at) = names.iter().position(|name| name.as_bytes() == word) else {
            continue;
        };
        let list = tree.argument(call, 1);
        let list = list.into_iter().flat_map(|list| tree.children(list));
        for item in list.take(VALUES_OF_NAME) {
            // `pytest.param("cuda", marks=…)`
            let item = match tree.kind(item) {
                Kind::Call => tree.child(item, Field::Arguments).unwrap_or(item),
                _ => item,
            };
            let is_plain = matches!(tree.kind(item), Kind::Str | Kind::ConcatenatedString);
            found.extend(if is_plain {
                Some(item)
            } else {
                tree.nth(item, at)
            });
        }
    }
    found
}
