//! The words from which a verdict concludes what code is about.

use super::name_parts::{parts_of_names, words_in};
use super::surroundings::{is_own_package, names_around};
use crate::python::gpus::values::Values;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// How many bytes of a piece of code are searched for words.
const NEAR: usize = 2048;

/// The first word in some names that speaks of what NVIDIA alone has, and is not the name of the project itself.
pub(super) fn kernel_in(values: &Values<'_>, parts: &[u8]) -> Option<&'static str> {
    let mut found = words_in(parts, &values.gpus.deciding.kernels);
    found.find(|word| !is_own_package(&values.unit, word))
}

/// The words of the condition that a question is a part of, without those of questions.
pub(super) fn of_condition(values: &Values<'_>, question: NodeId, at: NodeId) -> Vec<u8> {
    let tree = &values.unit.module.tree;
    let condition = match tree.kind(at) {
        Kind::If | Kind::Elif => tree.child(at, Field::Condition),
        Kind::Conditional => tree.nth(at, 1),
        _ => tree.condition_around(question).last(),
    };
    let Some(condition) = condition else {
        return Vec::new();
    };
    let mut text = Vec::new();
    for node in tree.with_below(condition).take(NEAR) {
        let word = tree.word(node);
        let is_question = values.gpus.mentions_architecture(word);
        if matches!(tree.kind(node), Kind::Identifier | Kind::Str) && !is_question {
            text.extend(word);
            text.push(b' ');
        }
    }
    parts_of_names(&text)
}

/// The words of the names around a node.
pub(super) fn words_around(values: &Values<'_>, node: NodeId) -> Vec<u8> {
    parts_of_names(&names_around(values, node))
}

/// The words of some code.
pub(super) fn of_code(values: &Values<'_>, code: &[NodeId]) -> Vec<u8> {
    let tree = &values.unit.module.tree;
    let mut text = Vec::new();
    for &node in code {
        let range = tree.range(node);
        let end = range.end.min(range.start + NEAR);
        text.extend(TextRange::new(range.start, end).of(values.unit.text));
        text.push(b' ');
    }
    parts_of_names(&text)
}
