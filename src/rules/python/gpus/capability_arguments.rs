//! Capabilities of CUDA's among the arguments of a call: `compute_capability=(10, 0)`, and the number that a test gives
//! instead of `PyTorch`'s answer.

use super::numbers::{features_on_musa, literal_capabilities};
use super::review::Review;
use super::wording::short;
use crate::Outcome;
use torchada_diagnostic::codes::python::{ASKS, CAPABILITY};
use torchada_mapping::has;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// Report the capabilities among the arguments of a call.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, call: NodeId) {
    let tree = &review.unit.module.tree;
    let Some(arguments) = tree.child(call, Field::Arguments) else {
        return;
    };
    for argument in tree.children(arguments).take(32) {
        if tree.kind(argument) == Kind::KeywordArgument {
            check_keyword(review, out, call, argument);
        }
    }
    if let Some(substitute) = substitute(review, arguments) {
        report(review, out, substitute, true);
    }
}

/// Report a keyword that is a capability: `compute_capability=(10, 0)`.
fn check_keyword(review: &Review<'_>, out: &mut Outcome, call: NodeId, argument: NodeId) {
    let tree = &review.unit.module.tree;
    let Some((name, value)) = tree.name_and_value(argument) else {
        return;
    };
    let is_literal = matches!(tree.kind(value), Kind::Integer | Kind::Tuple | Kind::List);
    if !is_literal || !review.gpus.is_telling(tree.word(name)) {
        return;
    }
    let functions = &review.gpus.asking.functions;
    let callee = review.unit.module.callee_word(call);
    // `support_checks` reports the whole call.
    if has(functions, callee) {
        return;
    }
    report(review, out, argument, false);
}

/// The argument that a test puts in the place of a capability of `PyTorch`'s: `patch("torch.cuda.…",
/// return_value=(7, 0))`, `setattr(torch.cuda, "…", lambda: (7, 0))`.
fn substitute(review: &Review<'_>, arguments: NodeId) -> Option<NodeId> {
    let tree = &review.unit.module.tree;
    let items = || tree.children(arguments).take(8);
    items().take(2).find(|&one| {
        Literal::read(tree, one).is_some_and(|text| {
            let last = text.value().rsplit(|&byte| byte == b'.').next();
            let mut known = review.gpus.values_named(last.unwrap_or_default());
            known.any(|one| one.gives == GpuValueKind::Pair)
        })
    })?;
    items().find(|&one| match tree.kind(one) {
        Kind::KeywordArgument => tree
            .child(one, Field::Name)
            .is_some_and(|name| tree.word(name) == b"return_value"),
        Kind::Lambda => true,
        _ => false,
    })
}

fn report(review: &Review<'_>, out: &mut Outcome, place: NodeId, is_substitute: bool) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let value = match tree.kind(place) {
        Kind::Lambda => tree.child(place, Field::Body),
        _ => tree.child(place, Field::Value),
    };
    let number = value
        .and_then(|value| literal_capabilities(review, value, GpuValueKind::Capability))
        .and_then(|literal| literal.numbers.into_iter().min());
    let Some(number) = number.filter(|&number| number > 0) else {
        return;
    };
    if review.decide_number(place, "is a capability of CUDA's") {
        return;
    }
    let range = tree.range(place);
    let text = short(&unit.shown(range));
    let (code, message) = if is_substitute {
        let message = format!("`{text}` stands in for a capability with a number of CUDA's");
        (CAPABILITY, message)
    } else {
        (ASKS, format!("`{text}` is a capability of CUDA's"))
    };
    let finding = unit.finding(code, range, message);
    let rows = unit.context.tables.architectures();
    out.report(finding.help(features_on_musa(rows, number)));
}
