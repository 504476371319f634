//! Versions of NVIDIA's libraries.

use super::review::Review;
use super::wording::short;
use crate::Outcome;
use crate::python::inference::limits::NUMBER_STEPS;
use torchada_diagnostic::codes::python::VERSION;
use torchada_mapping::python::gpus::{GpuValueKind, LibraryVersion};
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};
use torchada_text::last_part;

/// Report a comparison of a library's version with a number.
pub(super) fn check_comparison(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    for side in tree.children(node).take(8) {
        if tree.kind(side) == Kind::Operator {
            continue;
        }
        let Some(value) = review
            .of(side)
            .filter(|one| one.gives == GpuValueKind::Library)
        else {
            continue;
        };
        let origin = value.origin.unwrap_or(side);
        // A name by itself is a weak sign of a version, so the other side must be a number.
        let by_own_name = || {
            let mut sides = tree.children(node).take(8);
            let number = sides.any(|other| other != side && is_number(review, other, NUMBER_STEPS));
            number
                .then(|| {
                    library_of_own_name(review, side)
                        .or_else(|| library_of_own_name(review, origin))
                })
                .flatten()
        };
        let name = library(review, origin).or_else(by_own_name);
        if let Some(library) = name.filter(|one| !one.always) {
            let range = tree.range(node);
            let message = format!(
                "`{}` compares a version of another library with a number",
                short(&unit.shown(range))
            );
            unit.report(out, VERSION, range, message, library.advice.clone());
            return;
        }
    }
}

/// Report a name of a library's version that MUSA lacks altogether.
pub(super) fn check_name(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let last = unit.module.last_name(node);
    let mut libraries = review.gpus.libraries.iter();
    let may_be_listed =
        libraries.any(|one| one.always && last_part(&one.name).as_bytes() == &last[..]);
    if !may_be_listed {
        return;
    }
    if let Some(library) = library(review, node).filter(|one| one.always) {
        let range = tree.range(node);
        let message = format!("`{}` is not there on MUSA", library.name);
        unit.report(out, VERSION, range, message, library.advice.clone());
    }
}

/// The library whose version a name of the project's stands for: `version`, `version[0]`, `get_version() // 1000`.
fn library_of_own_name<'v>(review: &'v Review<'_>, node: NodeId) -> Option<&'v LibraryVersion> {
    let module = review.unit.module;
    let tree = &module.tree;
    let below = tree.with_below(node).take(16);
    let mut words = below.filter_map(|one| match tree.kind(one) {
        Kind::Call => Some(module.callee_word(one)),
        Kind::Identifier => Some(tree.word(one)),
        _ => None,
    });
    words.find_map(|word| review.gpus.library_of_version_name(word))
}

/// Whether the expression that a version is compared with is made of numbers, or is a constant of the module.
fn is_number(review: &Review<'_>, node: NodeId, steps: usize) -> bool {
    let Some(steps) = steps.checked_sub(1) else {
        return false;
    };
    let module = review.unit.module;
    let tree = &module.tree;
    let first = |node| tree.nth(node, 0);
    match tree.kind(node) {
        Kind::Integer | Kind::Float => true,
        Kind::Tuple | Kind::List | Kind::Set | Kind::Parenthesized | Kind::Conditional => {
            first(node).is_some_and(|one| is_number(review, one, steps))
        }
        // `Version("12.8")`
        Kind::Call => {
            let argument = tree.child(node, Field::Arguments).and_then(first);
            let text = argument.and_then(|one| Literal::read(tree, one));
            text.is_some_and(|text| text.value().first().is_some_and(u8::is_ascii_digit))
        }
        Kind::Identifier => {
            let word = tree.word(node);
            let bindings = module.bindings(node, word).1;
            let is_constant = !word.iter().any(u8::is_ascii_lowercase);
            bindings.iter().take(8).any(|one| match one.what {
                BoundValue::Value(value) => is_number(review, value, steps),
                BoundValue::Import(_) => is_constant,
                _ => false,
            })
        }
        _ => false,
    }
}

/// The library whose version an expression asks for by the library's own name.
fn library<'v>(review: &'v Review<'_>, node: NodeId) -> Option<&'v LibraryVersion> {
    let module = review.unit.module;
    let callee = match module.tree.kind(node) {
        Kind::Call => module.tree.callee(node)?,
        _ => node,
    };
    let name = module.resolve(callee)?.name;
    review.gpus.libraries.iter().find(|one| one.name == name)
}
