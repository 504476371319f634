//! Branches that only CUDA takes: what is done in them stays CUDA's.

use super::PythonUnit;
use super::vendor_files::take_back;
use super::vendors::{Beside, asked_for_beside, beside};
use crate::diagnostic::KeptReason;
use crate::rules::Outcome;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// Take back what the rules say of branches that only CUDA takes: those of a chain of `if` or of a
/// `match` that has branches for other platforms, too.
pub fn leave(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let branches = branches(unit);
    for branch in branches {
        take_back(out, branch, KeptReason::MusaBranch);
    }
}

/// The bodies of such branches.
pub(super) fn branches(unit: &PythonUnit<'_>) -> Vec<TextRange> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.nodes() {
        let body = match tree.kind(node) {
            Kind::If | Kind::Elif => tree
                .child(node, Field::Condition)
                .filter(|&condition| picks_cuda(unit, condition))
                .and_then(|_| tree.child(node, Field::Consequence)),
            Kind::Case => tree
                .child(node, Field::Consequence)
                .filter(|_| is_case_of_cuda(unit, node)),
            _ => None,
        };
        found.extend(body.map(|body| tree.range(body)));
    }
    found
}

/// Whether a condition holds on CUDA alone, among platforms that are told apart.
fn picks_cuda(unit: &PythonUnit<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(condition) {
        Kind::Parenthesized => tree
            .nth(condition, 0)
            .is_some_and(|inner| picks_cuda(unit, inner)),
        // `a and b` holds where both do.
        Kind::Boolean => {
            let operator = tree.child(condition, Field::Operator);
            operator.is_some_and(|one| tree.word(one) == b"and")
                && tree.children(condition).any(|side| picks_cuda(unit, side))
        }
        Kind::Comparison => {
            let operator = tree.child(condition, Field::Operators);
            operator.is_some_and(|one| tree.word(one) == b"==")
                && tree.children(condition).any(|side| is_choice(unit, side))
        }
        Kind::Call => {
            let Some(callee) = tree.child(condition, Field::Function) else {
                return false;
            };
            let platforms = &unit.positions().platforms;
            unit.module
                .resolve(callee)
                .is_some_and(|name| platforms.iter().any(|one| one.name == name.name))
                && asked_for_beside(unit, callee)
        }
        _ => false,
    }
}

fn is_case_of_cuda(unit: &PythonUnit<'_>, case: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut patterns = tree
        .children(case)
        .filter(|&part| tree.kind(part) == Kind::CasePattern);
    match (patterns.next(), patterns.next()) {
        (Some(pattern), None) => tree
            .nth(pattern, 0)
            .is_some_and(|literal| is_choice(unit, literal)),
        _ => false,
    }
}

/// Whether a literal is CUDA's name, beside those of other platforms.
fn is_choice(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let devices = &unit.lore.knowledge.devices;
    let is_cuda = Literal::read(&unit.module.tree, node).is_some_and(|literal| {
        let mut names = devices.iter().map(|one| one.cuda.as_bytes());
        names.any(|name| literal.value() == name)
    });
    if !is_cuda {
        return false;
    }
    let of = unit.module.use_of(node);
    let told = matches!(
        of.consumer,
        Consumer::Comparison { .. } | Consumer::Pattern { .. }
    );
    told && beside(unit, &of) != Beside::Nobody
}
