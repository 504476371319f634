//! Texts that end with the number of a release: `f"cuda:{version}"` is a package or an image, and no device.

use crate::python::PythonUnit;
use torchada_mapping::has_part;
use torchada_syntax::python::{Field, Kind, Literal};

/// Whether what a text puts in behind its colon is a release, by its name.
pub(super) fn names_release(unit: &PythonUnit<'_>, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let words = &unit.python_values().words_of_calls.releases;
    let holes = tree.below(literal.node);
    let holes = holes.filter(|&node| tree.kind(node) == Kind::Interpolation);
    let mut names = holes.filter_map(|hole| tree.child(hole, Field::Expression));
    names.any(|name| has_part(words, &unit.module.last_name(name)))
}
