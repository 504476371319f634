//! Functions that pick one of several ways by questions for the GPU: what MUSA takes there, or that it reaches nothing.

use std::collections::BTreeSet;
use torchada_mapping::{has, has_part};

use super::decisions::{Way, ends};
use super::review::Review;
use super::values::Values;
use super::wording::short;
use crate::Outcome;
use crate::python::platforms::conditions::mentions_others;
use torchada_diagnostic::codes::python::{NOTHING, PICKED};
use torchada_mapping::effort::Effort;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many ends of a function are looked at.
const ENDS: usize = 64;

/// How many of the ways a finding names.
const NAMED: usize = 4;

/// Report what MUSA takes in a function that picks one of several ways.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, function: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let parts = (
        tree.child(function, Field::Name),
        tree.child(function, Field::Body),
    );
    let (Some(name), Some(body)) = parts else {
        return;
    };
    // `_pick_xpu_kernels` is nothing that MUSA comes to.
    let is_others = || mentions_others(unit, tree.word(name));
    if !picks(review, tree.word(name))
        || is_others()
        || Effort::builtin().is_auxiliary(review.unit.path)
    {
        return;
    }
    let statements: Vec<NodeId> = tree.children(body).collect();
    let ways = ends(review, &statements);
    if ways.is_unknown
        || ways.at.len() > ENDS
        || !ways
            .at
            .iter()
            .any(|&(_, is_behind_question)| is_behind_question)
    {
        return;
    }
    let mut picked = BTreeSet::new();
    let mut order = Vec::new();
    let mut gives_else = ways.goes_on.is_some();
    let mut stops = false;
    for &(way, is_behind_question) in &ways.at {
        let Way::Leaves(end) = way else {
            stops |= is_behind_question;
            continue;
        };
        if !is_behind_question {
            gives_else = true;
            continue;
        }
        let value = tree.nth(end, 0);
        let Some(value) = value.filter(|&value| tree.kind(value) != Kind::None) else {
            continue;
        };
        // What a variable or a call gives is not known.
        let is_named = match tree.kind(value) {
            Kind::Str | Kind::List | Kind::Tuple | Kind::Conditional => true,
            // A constant: `Backend.TRITON`.
            Kind::Attribute => {
                let name = unit.module.last_name(value);
                !name.iter().any(u8::is_ascii_lowercase)
            }
            _ => false,
        };
        if !is_named {
            return;
        }
        let shown = short(&tree.shown(value));
        if picked.insert(shown.clone()) {
            order.push(format!("`{shown}`"));
        }
    }
    let range = tree.range(name);
    let shown = unit.shown(range);
    if order.is_empty() && !gives_else {
        let how = if stops { "raises" } else { "gives None" };
        let message = format!("MUSA reaches nothing here: `{shown}` {how}");
        let help = "add an arm for MUSA, with what the project has for all GPUs";
        unit.report(out, NOTHING, range, message, help);
    } else if !order.is_empty() && order.len() <= NAMED {
        let message = format!("MUSA takes {} in `{shown}`", order.join(" or "));
        let help = "check that it works on MUSA, or add an arm for MUSA";
        unit.report(out, PICKED, range, message, help);
    }
}

/// Whether the name of a function says that it picks a backend: `_get_default_attn_backend`.
fn picks(values: &Values<'_>, name: &[u8]) -> bool {
    let words = &values.gpus.gates;
    let ends = name.rsplit(|&byte| byte == b'_').next();
    has_part(&words.verbs, name)
        && ends.is_some_and(|end| has(&words.objects, &end.to_ascii_lowercase()))
}
