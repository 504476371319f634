//! Code that does nothing but choose numbers to tune by.

use crate::python::gpus::values::Values;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many nodes are looked at, and through how many functions.
const NODES: usize = 400;
const CALLS: usize = 2;

/// Whether all of some code only chooses numbers, and at least one that is no flag: `BLOCK = 64`, `min(512, TILE)`.
pub(super) fn chooses_numbers(values: &Values<'_>, code: &[NodeId]) -> bool {
    only_numbers(values, code, CALLS)
}

fn only_numbers(values: &Values<'_>, code: &[NodeId], calls: usize) -> bool {
    let mut any = false;
    for &node in code {
        match numbers_in(values, node, calls) {
            None => return false,
            Some(has) => any |= has,
        }
    }
    any
}

/// Whether code has a number among what it chooses; `None` if it does something else besides.
fn numbers_in(values: &Values<'_>, node: NodeId, calls: usize) -> Option<bool> {
    let tree = &values.unit.module.tree;
    let words = &values.gpus.deciding;
    let mut any = false;
    let mut conditions: Vec<NodeId> = Vec::new();
    for (count, one) in tree.with_below(node).enumerate() {
        if count > NODES {
            return None;
        }
        let mut above = tree.ancestors(one).take(NODES);
        if conditions.contains(&one) || above.any(|up| conditions.contains(&up)) {
            continue;
        }
        match tree.kind(one) {
            // 0 and 1 may say no and yes.
            Kind::Integer | Kind::Float => any |= !matches!(tree.word(one), b"0" | b"1"),
            Kind::If | Kind::Elif => conditions.extend(tree.child(one, Field::Condition)),
            Kind::Call => {
                let word = values.unit.module.callee_word(one);
                if !has(&words.numeric, word) {
                    let calls = calls.checked_sub(1)?;
                    let function = values.unit.module.only_function_called(one)?;
                    let body = tree.child(function, Field::Body)?;
                    any |= only_numbers(values, &[body], calls).then_some(true)?;
                }
            }
            Kind::Pair => conditions.extend(tree.child(one, Field::Key)),
            Kind::Str | Kind::ConcatenatedString if is_key_or_comment(values, one) => {
                conditions.push(one);
            }
            Kind::Attribute
            | Kind::True
            | Kind::False
            | Kind::None
            | Kind::Str
            | Kind::ConcatenatedString
            | Kind::Raise
            | Kind::Assert
            | Kind::Lambda
            | Kind::Function
            | Kind::Class
            | Kind::Import
            | Kind::ImportFrom
            | Kind::Try
            | Kind::With
            | Kind::Delete => return None,
            _ => {}
        }
    }
    Some(any)
}

/// Whether a text is the key of an item, or a statement by itself.
fn is_key_or_comment(values: &Values<'_>, text: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    tree.field(text) == Field::Subscript
        || tree.parent_if(text, Kind::ExpressionStatement).is_some()
}
