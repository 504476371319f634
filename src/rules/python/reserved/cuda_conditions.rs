//! Conditions that are true on CUDA only, and the code under them.

use super::alternatives::Alternatives;
use super::alternatives_beside::{alternatives_to, rivals_of_device};
use super::musa_counterparts::{behind_musa, has_musa_counterpart, names_musa};
use crate::python::ModuleView;
use crate::python::availability::beside_others::leads_to_gpu;
use crate::python::devices::compared::compared_by_front;
use crate::python::devices::declared_alternatives::alternatives_at_declaration;
use crate::python::inference::{StringRole, only_value, string_role};
use crate::python::platforms::conditions::alternatives_in_branches;
use torchada_mapping::{ValueKind, has, has_part};
use torchada_project::replay::Cause;
use torchada_syntax::python::{Consumer, Field, Kind, NodeId};
use torchada_text::TextRange;

/// The code that runs on CUDA only, and the platforms that have code of their own next to it.
pub fn branches(unit: &ModuleView<'_>) -> Vec<(TextRange, Alternatives)> {
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
                let others = picks_cuda(unit, condition);
                if others == Alternatives::Musa || asks_for_cuda(unit, condition) {
                    found.push((tree.range(condition), Alternatives::Musa));
                }
                others
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
pub fn stays(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    picks_cuda(unit, condition) != Alternatives::None
}

/// The platforms that have a branch of their own next to a condition that is true on CUDA only.
pub fn picks_cuda(unit: &ModuleView<'_>, condition: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let any = |each: &dyn Fn(NodeId) -> Alternatives| {
        let sides = tree.children(condition).map(each);
        sides.fold(Alternatives::None, Alternatives::or)
    };
    let if_asks_for_cuda = || Alternatives::musa_if(asks_for_cuda(unit, condition));
    let operator = tree.operator(condition);
    match tree.kind(condition) {
        Kind::Parenthesized => any(&|inner| picks_cuda(unit, inner)),
        // `a and b` is true only if both sides are.
        Kind::Boolean if operator == b"and" => any(&|side| picks_cuda(unit, side)),
        // `is_cuda() or is_hip()`, where MUSA has an arm of its own.
        Kind::Boolean if operator == b"or" => {
            let sides = || tree.operands(condition);
            let is_others = |side| {
                let says = crate::python::reach::verdict(unit, side);
                says.is_some_and(|says| !says.holds && matches!(says.cause, Cause::Vendor(_)))
            };
            let found = sides().fold(Alternatives::None, |found, side| {
                found.or(picks_cuda(unit, side))
            });
            let only_theirs = || {
                sides().all(|side| picks_cuda(unit, side) == Alternatives::Musa || is_others(side))
            };
            Alternatives::musa_if(found == Alternatives::Musa && only_theirs())
        }
        Kind::Comparison if operator == b"==" => {
            any(&|side| choice(unit, side).or(member_for_cuda(unit, side)))
        }
        // `"cuda" in device`, where MUSA has an arm of its own.
        Kind::Comparison if operator == b"in" => any(&|side| choice(unit, side)).only_musa(),
        // `device.startswith("cuda")`
        Kind::Call if compared_by_front(unit, condition).is_some() => tree
            .argument(condition, 0)
            .map_or(Alternatives::None, |front| choice(unit, front))
            .only_musa(),
        Kind::Call => {
            let Some(callee) = tree.callee(condition) else {
                return Alternatives::None;
            };
            let platforms = &unit.python_values().platforms;
            let tells = unit
                .module
                .resolve(callee)
                .is_some_and(|name| platforms.iter().any(|one| one.name == name.name));
            if tells && leads_to_gpu(unit, callee) {
                if_asks_for_cuda()
            } else if tells {
                alternatives_in_branches(unit, callee).or(if_asks_for_cuda())
            } else {
                if_asks_for_cuda()
            }
        }
        Kind::Identifier | Kind::Attribute => if_asks_for_cuda(),
        Kind::Not => {
            let mut inner = tree.children(condition);
            Alternatives::musa_if(inner.any(|inner| asks_for_target(unit, inner)))
        }
        _ => Alternatives::None,
    }
}

/// Whether a condition asks for MUSA by the name of its question: `is_musa_available()`.
fn asks_for_target(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(condition) == Kind::Parenthesized {
        let inner = tree.nth(condition, 0);
        return inner.is_some_and(|inner| asks_for_target(unit, inner));
    }
    question(unit, condition).is_some_and(|question| names_musa(unit, question))
}

/// The name of the question that a condition asks: `is_cuda` in `is_cuda()`.
pub fn question(unit: &ModuleView<'_>, condition: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    match tree.kind(condition) {
        Kind::Call => tree.callee(condition),
        Kind::Identifier | Kind::Attribute => Some(condition),
        _ => None,
    }
}

/// Whether a condition is a question for CUDA, of the project's or of a tensor, that the project also asks for MUSA:
/// `is_cuda_available()`, `x.is_cuda`.
pub fn asks_for_cuda(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let Some(question) = question(unit, condition) else {
        return false;
    };
    let own = &unit.python_values().vendors.own;
    has_part(own, &unit.module.last_name(question))
        && (alternatives_in_branches(unit, question) == Alternatives::Musa
            || has_musa_counterpart(unit, question)
            || keeps_answer(unit, question))
}

/// Whether a name keeps the answer to a question for CUDA that the project also asks for MUSA: `_is_cuda = is_cuda()`.
fn keeps_answer(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let value = only_value(unit, name);
    value
        .filter(|&value| unit.module.tree.kind(value) == Kind::Call)
        .and_then(|call| unit.module.tree.callee(call))
        .is_some_and(|callee| has_musa_counterpart(unit, callee))
}

/// MUSA, if an expression is a member for CUDA and a neighbouring branch has the one for MUSA: `Kind.CUDA`, `Kind.MUSA`.
fn member_for_cuda(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let own = &unit.python_values().vendors.own;
    let is_cuda = unit.module.tree.kind(node) == Kind::Attribute
        && has(own, unit.module.last_name(node).to_ascii_lowercase());
    Alternatives::musa_if(is_cuda && alternatives_in_branches(unit, node) == Alternatives::Musa)
}

/// The platforms next to CUDA among the cases of a `match`, if a case is CUDA's only.
fn is_case_of_cuda(unit: &ModuleView<'_>, case: NodeId) -> Alternatives {
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

/// The platforms whose names are alternatives to a literal that is CUDA's name.
pub fn choice(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    if !unit.is_cudas_word(node) {
        return Alternatives::None;
    }
    let of = unit.module.use_of(node);
    let is_compared = match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } => true,
        Consumer::Argument { call, .. } => compared_by_front(unit, call).is_some(),
        _ => false,
    };
    if is_compared {
        let found = match string_role(unit, &of) {
            StringRole::Known(ValueKind::Device) => rivals_of_device(unit, &of),
            _ => alternatives_to(unit, &of),
        };
        found.or(alternatives_at_declaration(unit, &of))
    } else {
        Alternatives::None
    }
}
