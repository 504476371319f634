//! Conditions that hold on CUDA alone, and the branches that they open.

use super::ModuleView;
use super::alternatives::Alternatives;
use super::declared_alternatives::alternatives_at_declaration;
use super::inference::options::has;
use super::musa_counterparts::{behind_musa, has_musa_counterpart};
use super::platform_conditions::alternatives_in_branches;
use super::vendors::alternatives_to;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// The bodies of such branches, and who has one beside each.
pub(super) fn branches(unit: &ModuleView<'_>) -> Vec<(TextRange, Alternatives)> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.of_any(&[Kind::If, Kind::Elif, Kind::Case, Kind::Conditional]) {
        if matches!(tree.kind(node), Kind::If | Kind::Elif) {
            let behind = behind_musa(unit, node).into_iter();
            found.extend(behind.map(|range| (range, Alternatives::Musa)));
        }
        let others = match tree.kind(node) {
            Kind::If | Kind::Elif => {
                let Some(condition) = tree.child(node, Field::Condition) else {
                    continue;
                };
                if asks_for_cuda(unit, condition) {
                    found.push((tree.range(condition), Alternatives::Musa));
                }
                picks_cuda(unit, condition)
            }
            Kind::Case => is_case_of_cuda(unit, node),
            // `a if device == "cuda" else b`
            Kind::Conditional => {
                let condition = tree.nth(node, 1);
                condition.map_or(Alternatives::None, |condition| picks_cuda(unit, condition))
            }
            _ => continue,
        };
        let body = match tree.kind(node) {
            Kind::Conditional => tree.nth(node, 0),
            _ => tree.child(node, Field::Consequence),
        };
        if others != Alternatives::None
            && let Some(body) = body
        {
            found.push((tree.range(body), others));
        }
    }
    found
}

/// Whether the code under a condition stays CUDA's, because another platform has a branch of its own.
pub(super) fn stays(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    picks_cuda(unit, condition) != Alternatives::None
}

/// The platforms next to which a condition holds on CUDA alone.
pub(super) fn picks_cuda(unit: &ModuleView<'_>, condition: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let any = |each: &dyn Fn(NodeId) -> Alternatives| {
        let sides = tree.children(condition).map(each);
        sides.fold(Alternatives::None, Alternatives::or)
    };
    let asked = || {
        if asks_for_cuda(unit, condition) {
            Alternatives::Musa
        } else {
            Alternatives::None
        }
    };
    let operates = |field, word: &[u8]| {
        tree.child(condition, field)
            .is_some_and(|one| tree.word(one) == word)
    };
    match tree.kind(condition) {
        Kind::Parenthesized => any(&|inner| picks_cuda(unit, inner)),
        // `a and b` holds where both do.
        Kind::Boolean if operates(Field::Operator, b"and") => any(&|side| picks_cuda(unit, side)),
        Kind::Comparison if operates(Field::Operators, b"==") => {
            any(&|side| choice(unit, side).or(member_for_cuda(unit, side)))
        }
        Kind::Call => {
            let Some(callee) = tree.child(condition, Field::Function) else {
                return Alternatives::None;
            };
            let platforms = &unit.python_values().platforms;
            let tells = unit
                .module
                .resolve(callee)
                .is_some_and(|name| platforms.iter().any(|one| one.name == name.name));
            if tells {
                alternatives_in_branches(unit, callee).or(asked())
            } else {
                asked()
            }
        }
        Kind::Identifier | Kind::Attribute => asked(),
        Kind::Not if any(&|inner| asks_for_target(unit, inner)) == Alternatives::Musa => {
            Alternatives::Musa
        }
        _ => Alternatives::None,
    }
}

/// `is_musa_available()`: a question for MUSA by its name.
pub(super) fn asks_for_target(unit: &ModuleView<'_>, condition: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    if tree.kind(condition) == Kind::Parenthesized {
        let inner = tree.nth(condition, 0);
        return inner.map_or(Alternatives::None, |inner| asks_for_target(unit, inner));
    }
    let asked = question(unit, condition);
    let target = &unit.python_values().vendors.target;
    let is_it = asked.is_some_and(|asked| {
        let name = unit.module.last_name(asked).to_ascii_lowercase();
        name.split(|&byte| byte == b'_')
            .any(|part| has(target, part))
    });
    if is_it {
        Alternatives::Musa
    } else {
        Alternatives::None
    }
}

/// The name of what a condition asks: `is_cuda` in `is_cuda()`.
pub(super) fn question(unit: &ModuleView<'_>, condition: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    match tree.kind(condition) {
        Kind::Call => tree.child(condition, Field::Function),
        Kind::Identifier | Kind::Attribute => Some(condition),
        _ => None,
    }
}

/// A question of the project's own, or of a tensor, beside the same one for MUSA: `is_cuda_available()`,
/// `x.is_cuda`.
pub(super) fn asks_for_cuda(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let asked = question(unit, condition);
    asked.is_some_and(|asked| {
        let own = &unit.python_values().vendors.own;
        let name = unit.module.last_name(asked).to_ascii_lowercase();
        let mut parts = name.split(|&byte| byte == b'_');
        parts.any(|part| has(own, part))
            && (alternatives_in_branches(unit, asked) == Alternatives::Musa
                || has_musa_counterpart(unit, asked))
    })
}

/// `Kind.CUDA`, beside `Kind.MUSA`.
pub(super) fn member_for_cuda(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let own = &unit.python_values().vendors.own;
    let is_cuda = unit.module.tree.kind(node) == Kind::Attribute
        && has(own, &unit.module.last_name(node).to_ascii_lowercase());
    if is_cuda && alternatives_in_branches(unit, node) == Alternatives::Musa {
        Alternatives::Musa
    } else {
        Alternatives::None
    }
}

pub(super) fn is_case_of_cuda(unit: &ModuleView<'_>, case: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let mut patterns = tree
        .children(case)
        .filter(|&part| tree.kind(part) == Kind::CasePattern);
    match (patterns.next(), patterns.next()) {
        (Some(pattern), None) => tree
            .nth(pattern, 0)
            .map_or(Alternatives::None, |literal| choice(unit, literal)),
        _ => Alternatives::None,
    }
}

/// The platforms next to whose names a literal is CUDA's.
pub(super) fn choice(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let devices = &unit.context.knowledge.devices;
    let is_cuda = Literal::read(&unit.module.tree, node).is_some_and(|literal| {
        let mut names = devices.iter().map(|one| one.cuda.as_bytes());
        names.any(|name| literal.value() == name)
    });
    if !is_cuda {
        return Alternatives::None;
    }
    let of = unit.module.use_of(node);
    let told = matches!(
        of.consumer,
        Consumer::Comparison { .. } | Consumer::Pattern { .. }
    );
    if told {
        alternatives_to(unit, &of).or(alternatives_at_declaration(unit, &of))
    } else {
        Alternatives::None
    }
}
