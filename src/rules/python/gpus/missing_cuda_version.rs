//! Code that uses the version of CUDA as a text, though the version is None on MUSA.

use super::excluded::is_tested;
use super::review::Review;
use crate::python::exceptions::is_caught;
use crate::{Change, Outcome};
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::RAISES;
use torchada_mapping::{contains_one, has};
use torchada_syntax::python::{Consumer, Field, Kind, NodeId, Wrapper};

/// How far the search for a test of None goes.
const REACH: usize = 64;

/// Report an expression that is the version, if its use raises where the version is None, and put a text in place of None.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    if !raises(review, node, 2) {
        return;
    }
    let word = tree.word(node);
    if is_tested(review, node, word) || is_none_caught(review, node) {
        return;
    }
    let range = tree.range(node);
    let shown = unit.shown(range);
    let fallback = &review.gpus.none.fallback;
    let alone = tree.parent_if(node, Kind::ArgumentList).is_some();
    let text = format!("{shown} or {fallback}");
    let text = if alone { text } else { format!("({text})") };
    unit.change(
        out,
        Change::new(range, &text).applicability(Applicability::Unsafe),
    );
    let message = match review.of(node).and_then(|value| value.origin) {
        Some(origin) if origin != node => format!(
            "`{shown}` is `{}`, which is None on MUSA, and this raises",
            tree.shown(origin)
        ),
        _ => format!("`{shown}` is None on MUSA, and this raises"),
    };
    unit.report(out, RAISES, range, message, unit.platform_advice());
    unit.claim(out, node);
}

/// Whether a value is used in a way that raises where it is None.
fn raises(review: &Review<'_>, node: NodeId, depth: usize) -> bool {
    let module = review.unit.module;
    let tree = &module.tree;
    let Some(parent) = tree.parent(node) else {
        return false;
    };
    match tree.kind(parent) {
        Kind::Attribute => tree.field(node) == Field::Object,
        // `version[0]`
        Kind::Subscript => tree.field(node) == Field::Value,
        Kind::Comparison => {
            let parts: Vec<NodeId> = tree.children(parent).take(REACH).collect();
            let place = parts.iter().position(|&part| part == node);
            let operator = |at: Option<usize>| {
                at.and_then(|at| parts.get(at))
                    .map_or(&b""[..], |&one| tree.word(one))
            };
            let orders = |word: &[u8]| word.first().is_some_and(|one| b"<>".contains(one));
            let before = operator(place.and_then(|at| at.checked_sub(1)));
            let behind = operator(place.map(|at| at + 1));
            let is_wanted = parts.len() == 3
                && matches!(behind, b"is not" | b"!=")
                && parts
                    .last()
                    .is_some_and(|&one| tree.kind(one) == Kind::None)
                && is_asserted(review, parent);
            orders(before) || orders(behind) || before.ends_with(b"in") || is_wanted
        }
        // `"cu" + version`
        Kind::Binary => tree.operator(parent) == b"+",
        Kind::Parenthesized => raises(review, parent, depth),
        _ => {
            let of = module.use_of(node);
            match of.consumer {
                Consumer::Argument { call, position } => {
                    let joined = of
                        .steps
                        .iter()
                        .any(|step| matches!(step, Wrapper::Among(_)));
                    let direct = of.steps.is_empty();
                    let word = module.callee_word(call);
                    if (direct || joined && word == b"join") && has(&review.gpus.none.takers, word)
                    {
                        return true;
                    }
                    direct && position.is_some_and(|at| parameter_raises(review, call, at, depth))
                }
                // `"_".join([version])`
                _ => of.steps.windows(2).any(|pair| {
                    matches!(pair, [Wrapper::Among(_), Wrapper::Joined(call)]
                        if module.callee_word(*call) == b"join")
                }),
            }
        }
    }
}

/// Whether a program stops where a test does not hold: `assert torch.version.cuda is not None`.
fn is_asserted(review: &Review<'_>, test: NodeId) -> bool {
    let tree = &review.unit.module.tree;
    let whole = tree.whole_condition(test);
    let assertion = tree.parent(whole);
    assertion.is_some_and(|one| tree.kind(one) == Kind::Assert && tree.ordinal(whole) == 0)
        && tree.certain_parts(whole, true).contains(&(test, true))
}

/// Whether a function of the module uses its parameter in a way that raises where the parameter is None.
fn parameter_raises(review: &Review<'_>, call: NodeId, at: usize, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let module = review.unit.module;
    let tree = &module.tree;
    let Some(function) = module.only_function_called(call) else {
        return false;
    };
    let name = tree
        .child(function, Field::Parameters)
        .and_then(|parameters| tree.nth(parameters, at))
        .map(|one| match tree.kind(one) {
            Kind::Identifier => one,
            Kind::TypedParameter => tree.nth(one, 0).unwrap_or(one),
            _ => tree.child(one, Field::Name).unwrap_or(one),
        });
    let (Some(name), Some(body)) = (name, tree.child(function, Field::Body)) else {
        return false;
    };
    let word = tree.word(name);
    let mut uses = tree
        .below(body)
        .take(REACH * REACH)
        .filter(|&one| tree.kind(one) == Kind::Identifier && tree.word(one) == word);
    uses.any(|one| {
        raises(review, one, depth) && !is_tested(review, one, word) && !is_none_caught(review, one)
    })
}

/// Whether a handler around an expression catches the exception that a version raises which is None.
fn is_none_caught(review: &Review<'_>, node: NodeId) -> bool {
    is_caught(review.unit, node, &|head| {
        head.trim() == "except" || contains_one(head, &review.gpus.none.swallows)
    })
}
