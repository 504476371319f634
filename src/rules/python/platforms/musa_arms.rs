//! Chains of `if` with an arm for CUDA and none for MUSA, in a project that asks for both elsewhere. Their arms stay: what
//! MUSA takes there is the project's to say.

use crate::Outcome;
use crate::python::PythonUnit;
use crate::python::reach;
use crate::python::reach::Reach;
use torchada_diagnostic::codes::python::{NO_ARM, TAKES_ELSE};
use torchada_project::replay::Cause;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Arms for CUDA without one for MUSA.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !unit.modules.has_musa() {
        return;
    }
    for chain in unit.module.tree.of(Kind::If) {
        report(unit, chain, out);
    }
}

fn report(unit: &PythonUnit<'_>, chain: NodeId, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let later = tree.later_arms(chain);
    let arms: Vec<NodeId> = std::iter::once(chain).chain(later).collect();
    let conditions = arms.iter().map(|&arm| tree.child(arm, Field::Condition));
    let conditions: Vec<NodeId> = conditions.flatten().collect();
    let mut for_cuda = conditions.iter().copied();
    let Some(first) = for_cuda.find(|&one| asks_for_cuda(unit, one)) else {
        return;
    };
    let mentions_musa = |&condition: &NodeId| {
        let says = reach::verdict(unit, condition);
        unit.mentions_musa(tree.word(condition))
            || says.is_some_and(|says| says.holds && says.cause == Cause::BesideMusa)
    };
    if conditions.iter().any(mentions_musa) || reach::of_place(unit, first) != Reach::Everywhere {
        return;
    }
    let line = |node| {
        let start = unit.in_file(tree.range(node)).start;
        unit.lines.position(unit.file_text, start).line
    };
    let lines: Vec<String> = conditions
        .iter()
        .map(|&one| line(one).to_string())
        .collect();
    let lines = match lines.as_slice() {
        [] | [_] => String::new(),
        several => format!(" (lines {})", several.join(", ")),
    };
    let question_node = question(unit, first);
    let shown = tree.shown(question_node);
    let other = arms.iter().find(|&&arm| tree.kind(arm) == Kind::Else);
    if other.is_some_and(|&arm| unit.mentions_musa(tree.word(arm))) {
        return;
    }
    let (code, takes) = match other {
        Some(&other) => (
            TAKES_ELSE,
            format!("MUSA takes the `else` in line {}", line(other)),
        ),
        None => (NO_ARM, "MUSA takes none".to_owned()),
    };
    let message = format!("`{shown}` has no arm for MUSA beside it{lines}: {takes}");
    let help =
        "add an arm for MUSA where it needs what CUDA does: the project asks for it elsewhere";
    unit.report(out, code, tree.range(question_node), message, help);
}

/// Whether a condition asks for CUDA by a question that the project also asks for MUSA: `is_cuda() or is_hip()`.
fn asks_for_cuda(unit: &PythonUnit<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(condition) {
        Kind::Parenthesized | Kind::Boolean => {
            let mut sides = tree.children(condition);
            sides.any(|side| asks_for_cuda(unit, side))
        }
        Kind::Call | Kind::Identifier | Kind::Attribute | Kind::Comparison => {
            let says = reach::verdict(unit, condition);
            says.is_some_and(|says| !says.holds && says.cause == Cause::BesideMusa)
        }
        _ => false,
    }
}

/// The part of a condition that asks for CUDA: `_is_cuda` of `(_is_cuda and x.is_contiguous())`.
fn question(unit: &PythonUnit<'_>, condition: NodeId) -> NodeId {
    let tree = &unit.module.tree;
    let mut at = condition;
    while matches!(tree.kind(at), Kind::Boolean | Kind::Parenthesized) {
        let mut sides = tree.children(at);
        match sides.find(|&side| asks_for_cuda(unit, side)) {
            Some(side) => at = side,
            None => break,
        }
    }
    at
}
