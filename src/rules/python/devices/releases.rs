//! Texts that stand with numbers of releases: `f"cuda:{version}"` is a package or an image, and the key in `{"cuda": ["11.8",
//! "12.1"]}` is CUDA itself; neither is a device.

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

/// How many parts of an entry's value are looked at.
const PARTS: usize = 64;

/// Whether a text is the key of numbers of releases.
pub(super) fn is_key_of_releases(unit: &PythonUnit<'_>, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let pair = tree
        .parent_if(literal.node, Kind::Pair)
        .filter(|_| tree.field(literal.node) == Field::Key);
    let Some(value) = pair.and_then(|pair| tree.child(pair, Field::Value)) else {
        return false;
    };
    let parts = tree.with_below(value).take(PARTS);
    let texts = parts.filter_map(|part| Literal::plain(tree, part));
    let mut texts = texts.peekable();
    texts.peek().is_some() && texts.all(|text| is_release(text.value()))
}

/// Whether a text is the number of a release: `12.1`, `11.1.105`.
fn is_release(text: &[u8]) -> bool {
    let mut parts = text.split(|&byte| byte == b'.');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    text.contains(&b'.') && parts.all(is_number)
}
