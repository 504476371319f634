//! The branches of a module that MUSA does not reach.

use std::rc::Rc;

use super::answer::verdict;
use super::reached::{Reach, Reason, UnreachedRange};
use crate::python::ModuleView;
use crate::python::leaving::leaves;
use torchada_project::NotBuilt;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::{TextRange, line_of};

/// Whether MUSA reaches the module of a file.
pub fn of_module<'u>(unit: &ModuleView<'u>, file: usize) -> &'u Reach {
    unit.reaches.of(file)
}

/// Whether MUSA reaches a place: that of the module, or of the branches around it.
pub fn of_place(unit: &ModuleView<'_>, node: NodeId) -> Reach {
    of_range(unit, unit.module.tree.range(node))
}

/// Whether MUSA reaches a stretch of the module.
pub fn of_range(unit: &ModuleView<'_>, range: TextRange) -> Reach {
    let module = of_module(unit, unit.index);
    if *module != Reach::Everywhere {
        return module.clone();
    }
    let all = unreached(unit);
    let around = all.iter().find(|one| one.range.covers(range));
    around.map_or(Reach::Everywhere, |one| Reach::only(one.reason.clone()))
}

/// The branches that only NVIDIA's GPUs take, with what findings in them are counted under.
pub fn not_reached(unit: &ModuleView<'_>) -> Vec<(TextRange, NotBuilt)> {
    let newest = unit.context.knowledge.shapes.guards.newest_architecture();
    let all = unreached(unit);
    let counted = all.iter().filter_map(|one| {
        let reach = Reach::only(one.reason.clone());
        Some((one.range, reach.not_reached(newest)?))
    });
    counted.collect()
}

/// The branches of a module that MUSA does not reach; code in a string of a file has its own.
pub fn unreached(unit: &ModuleView<'_>) -> Rc<[UnreachedRange]> {
    unit.memo.unreached(unit.place(()), || find_unreached(unit))
}

fn find_unreached(unit: &ModuleView<'_>) -> Vec<UnreachedRange> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.of_any(&[Kind::If, Kind::Conditional, Kind::Boolean, Kind::Decorated]) {
        match tree.kind(node) {
            Kind::Boolean => sides_beside(unit, node, &mut found),
            Kind::If => chain(unit, node, &mut found),
            Kind::Conditional => conditional(unit, node, &mut found),
            _ => skipped(unit, node, &mut found),
        }
    }
    found
}

fn push(
    unit: &ModuleView<'_>,
    found: &mut Vec<UnreachedRange>,
    range: TextRange,
    cause: Cause,
    condition: NodeId,
) {
    let tree = &unit.module.tree;
    let at = tree.range(condition);
    let line = line_of(unit.text, at.start);
    let words = cause.words();
    let why = format!("the condition in line {line} holds {words} only");
    found.push(UnreachedRange {
        range,
        reason: Reason { cause, why },
    });
}

/// The arms of a chain of `if`, and the code behind it, that MUSA does not reach.
fn chain(unit: &ModuleView<'_>, first: NodeId, found: &mut Vec<UnreachedRange>) {
    let tree = &unit.module.tree;
    let arms = tree.later_arms(first);
    let mut taken: Option<(Cause, NodeId)> = None;
    for arm in std::iter::once(first).chain(arms) {
        if let Some((cause, condition)) = &taken {
            // MUSA took an arm before.
            push(unit, found, tree.range(arm), cause.clone(), *condition);
            continue;
        }
        let Some(condition) = tree.child(arm, Field::Condition) else {
            continue;
        };
        let Some(says) = verdict(unit, condition) else {
            continue;
        };
        if says.holds {
            if arm == first && tree.nth(first, 2).is_none() && leaves(unit, arm) {
                behind_branch(unit, first, says.cause.clone(), condition, found);
            }
            taken = Some((says.cause, condition));
        } else if let Some(body) = tree.child(arm, Field::Consequence) {
            push(unit, found, tree.range(body), says.cause, condition);
        }
    }
}

/// The code behind a branch that ends the block on MUSA: `if not is_hip(): return`.
fn behind_branch(
    unit: &ModuleView<'_>,
    branch: NodeId,
    cause: Cause,
    condition: NodeId,
    found: &mut Vec<UnreachedRange>,
) {
    let tree = &unit.module.tree;
    if let Some(block) = tree.parent(branch) {
        let rest = TextRange::new(tree.range(branch).end, tree.range(block).end);
        if rest.start < rest.end {
            push(unit, found, rest, cause, condition);
        }
    }
}

/// What is asked together with another vendor's platform, `is_hip() and device.type == "cuda"`; and the sides behind one that
/// decides for MUSA: `x.device.type != "cuda" or torch.cuda.get_device_capability(x.device) < (9, 0)`.
fn sides_beside(unit: &ModuleView<'_>, node: NodeId, found: &mut Vec<UnreachedRange>) {
    let tree = &unit.module.tree;
    let is_and = tree.operator(node) == b"and";
    let says = verdict(unit, node).filter(|says| says.holds != is_and);
    let Some(says) = says.filter(|says| !matches!(says.cause, Cause::Newer(_))) else {
        return;
    };
    if is_and && matches!(says.cause, Cause::Vendor(_)) {
        push(unit, found, tree.range(node), says.cause, node);
        return;
    }
    let mut sides = tree.operands(node);
    let decides = |&side: &NodeId| verdict(unit, side).is_some_and(|one| one.holds != is_and);
    if sides.by_ref().any(|side| decides(&side))
        && let Some(next) = sides.next()
    {
        let range = TextRange::new(tree.range(next).start, tree.range(node).end);
        push(unit, found, range, says.cause, node);
    }
}

/// `a if is_hip() else b`
fn conditional(unit: &ModuleView<'_>, node: NodeId, found: &mut Vec<UnreachedRange>) {
    let tree = &unit.module.tree;
    let (Some(one), Some(condition), Some(other)) =
        (tree.nth(node, 0), tree.nth(node, 1), tree.nth(node, 2))
    else {
        return;
    };
    if let Some(says) = verdict(unit, condition) {
        let side = if says.holds { other } else { one };
        push(unit, found, tree.range(side), says.cause, condition);
    }
}

/// A test or a class of tests that MUSA skips: `@pytest.mark.skipif(not is_rocm(), …)`.
fn skipped(unit: &ModuleView<'_>, node: NodeId, found: &mut Vec<UnreachedRange>) {
    let tree = &unit.module.tree;
    for call in tree.decorators(node) {
        if let Some((cause, condition)) = skips(unit, call) {
            push(unit, found, tree.range(node), cause, condition);
            return;
        }
    }
}

/// Whether a mark skips a test on MUSA, and for which platform the test is.
pub(super) fn skips(unit: &ModuleView<'_>, call: NodeId) -> Option<(Cause, NodeId)> {
    let tree = &unit.module.tree;
    if tree.kind(call) != Kind::Call {
        return None;
    }
    let skips_where_true = match unit
        .module
        .callee_word(call)
        .to_ascii_lowercase()
        .as_slice()
    {
        b"skipif" => true,
        b"skipunless" => false,
        _ => return None,
    };
    let condition = tree.argument(call, 0)?;
    let says = verdict(unit, condition)?;
    (says.holds == skips_where_true).then_some((says.cause, condition))
}
