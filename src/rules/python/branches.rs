//! Branches that only CUDA takes: what is done in them stays CUDA's.

use super::PythonUnit;
use super::chains::branches_beside;
use super::options::has;
use super::platform::TELLS_PLATFORM;
use super::twins::{behind_musa, has_twin, with_twin};
use super::vendor_files::{take_back, take_back_except};
use super::vendors::{Beside, beside};
use crate::diagnostic::KeptReason;
use crate::rules::Outcome;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// Take back what the rules say of branches that only CUDA takes: those of a chain of `if` or of a
/// `match` that has branches for other platforms, too.
pub fn leave(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let branches = branches(unit);
    for branch in branches {
        take_back(out, branch, KeptReason::MusaBranch);
    }
    for node in tree.nodes() {
        // A question that stays keeps what holds together with it.
        if tree.kind(node) == Kind::Boolean && picks_cuda(unit, node) {
            take_back_except(
                out,
                tree.range(node),
                KeptReason::MusaBranch,
                TELLS_PLATFORM,
            );
        }
        if let Some(stretch) = with_twin(unit, node) {
            take_back(out, stretch, KeptReason::MusaTwin);
        }
    }
}

/// The bodies of such branches.
pub(super) fn branches(unit: &PythonUnit<'_>) -> Vec<TextRange> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.nodes() {
        if matches!(tree.kind(node), Kind::If | Kind::Elif) {
            found.extend(behind_musa(unit, node));
        }
        let body = match tree.kind(node) {
            Kind::If | Kind::Elif => tree
                .child(node, Field::Condition)
                .filter(|&condition| picks_cuda(unit, condition))
                .and_then(|condition| {
                    if asks_for_cuda(unit, condition) {
                        found.push(tree.range(condition));
                    }
                    tree.child(node, Field::Consequence)
                }),
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
                && tree
                    .children(condition)
                    .any(|side| is_choice(unit, side) || is_member_for_cuda(unit, side))
        }
        Kind::Call => {
            let Some(callee) = tree.child(condition, Field::Function) else {
                return false;
            };
            let platforms = &unit.positions().platforms;
            unit.module
                .resolve(callee)
                .is_some_and(|name| platforms.iter().any(|one| one.name == name.name))
                && branches_beside(unit, callee) != Beside::Nobody
                || asks_for_cuda(unit, condition)
        }
        Kind::Identifier | Kind::Attribute => asks_for_cuda(unit, condition),
        _ => false,
    }
}

/// A question of the project's own, or of a tensor, beside the same one for MUSA: `is_cuda_available()`,
/// `x.is_cuda`.
fn asks_for_cuda(unit: &PythonUnit<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let asked = match tree.kind(condition) {
        Kind::Call => tree.child(condition, Field::Function),
        Kind::Identifier | Kind::Attribute => Some(condition),
        _ => None,
    };
    asked.is_some_and(|asked| {
        let own = &unit.positions().vendors.own;
        let name = unit.module.last_name(asked).to_ascii_lowercase();
        let mut parts = name.split(|&byte| byte == b'_');
        parts.any(|part| has(own, part))
            && (branches_beside(unit, asked) == Beside::Target || has_twin(unit, asked))
    })
}

/// `Kind.CUDA`, beside `Kind.MUSA`.
fn is_member_for_cuda(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    unit.module.tree.kind(node) == Kind::Attribute && {
        let own = &unit.positions().vendors.own;
        let name = unit.module.last_name(node).to_ascii_lowercase();
        has(own, &name) && branches_beside(unit, node) == Beside::Target
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
