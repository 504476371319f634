//! Texts that name an implementation: `"cuda"` beside `"triton"` and `"torch"`.

use crate::python::ModuleView;
use crate::python::inference::class_body;
use crate::python::reserved::alternatives_beside::{members, neighbours};
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Literal, Use};

/// Whether a text stands among the names of implementations: in a list, a chain of `if` or a class.
pub(super) fn is_implementation(unit: &ModuleView<'_>, of: &Use) -> bool {
    let words = &unit.python_values().vendors.implementations;
    let is_word = |text: Literal| has(words, text.value().to_ascii_lowercase());
    let body = match of.consumer {
        Consumer::Target { target } => class_body(unit, target),
        _ => None,
    };
    let mut members = body.into_iter().flat_map(|body| members(unit, body));
    neighbours(unit, of).any(is_word) || members.any(is_word)
}
