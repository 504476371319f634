//! Names that only ever become a part of a word: `f"self_{device_str}_time"`, `f"requirements/runtime_{target}.txt"`.
//! The value of such a name is no device, whatever the name is.

use crate::python::ModuleView;
use crate::python::inference::each_use_while;
use torchada_mapping::has;
use torchada_syntax::HOLE;
use torchada_syntax::python::{BoundValue, Consumer, Field, Kind, Literal, NodeId, Use, Wrapper};

/// Whether a value belongs to a name fragment: the value is assigned to such a name, returned by a function whose results
/// all become fragments, or compared with one of the two.
pub fn is_only_name_fragment(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    // `device in ["cpu", "cuda"]` compares with each item.
    let is_compared = matches!(of.consumer, Consumer::Comparison { .. });
    if of.is_part() || !is_compared && of.items().next().is_some() {
        return false;
    }
    match of.consumer {
        Consumer::Target { target } => is_fragment(unit, target),
        Consumer::Return {
            function: Some(function),
        } => tree
            .child(function, Field::Name)
            .is_some_and(|name| is_fragment(unit, name)),
        Consumer::Comparison { other, .. } => match tree.kind(other) {
            Kind::Call => tree
                .callee(other)
                .is_some_and(|name| is_fragment(unit, name)),
            _ => is_fragment(unit, other),
        },
        // `return os.getenv("TARGET", "cuda")`
        Consumer::Argument {
            call,
            position: Some(1),
        } if has(
            &unit.python_values().words_of_calls.keyed,
            unit.module.callee_word(call),
        ) =>
        {
            is_only_name_fragment(unit, &unit.module.use_of(call))
        }
        _ => false,
    }
}

/// Whether the value of a variable, or the result of a function, only ever becomes a part of words.
fn is_fragment(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let bindings = unit.module.meanings(name);
    let is_assigned =
        |what: &BoundValue| matches!(what, BoundValue::Value(_) | BoundValue::Function(_));
    if bindings.is_empty() || !bindings.iter().all(|one| is_assigned(&one.what)) {
        return false;
    }
    let is_function = bindings
        .iter()
        .any(|one| matches!(one.what, BoundValue::Function(_)));
    let (mut joined, mut other) = (false, false);
    each_use_while(unit, name, &mut |unit, node| {
        let tree = &unit.module.tree;
        let value = match tree.parent(node) {
            Some(call) if is_function => {
                let is_called =
                    tree.kind(call) == Kind::Call && tree.field(node) == Field::Function;
                is_called.then_some(call)
            }
            _ => Some(node),
        };
        let Some(value) = value else {
            other = true;
            return false;
        };
        let of = unit.module.use_of(value);
        match of.consumer {
            _ if becomes_part_of_word(unit, &of) => joined = true,
            Consumer::Comparison { .. } => {}
            _ => other = true,
        }
        !other
    });
    joined && !other
}

/// Whether a value is inserted into a text right before or after a letter, a digit or an underscore.
fn becomes_part_of_word(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    of.steps.iter().any(|step| {
        let Wrapper::Formatted(text) = *step else {
            return false;
        };
        let literal = Literal::read(tree, text);
        literal.is_some_and(|literal| {
            let value = literal.text().into_owned();
            let is_word =
                |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
            value.match_indices(HOLE).any(|(at, hole)| {
                let before = value.get(..at).and_then(|front| front.chars().next_back());
                let behind = value.get(at + hole.len()..);
                is_word(before) || is_word(behind.and_then(|rest| rest.chars().next()))
            })
        })
    })
}
