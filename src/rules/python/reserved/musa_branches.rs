//! Code that only CUDA reaches, although no branch marks it: a function with a counterpart for MUSA under another
//! name, the code behind a branch for MUSA, one of several modules that a function returns.

use super::alternatives::Alternatives;
use super::alternatives_beside::platform;
use crate::python::ModuleView;
use crate::python::leaving::leaves;
use torchada_mapping::knowledge::DeviceName;
use torchada_syntax::python::{Field, Kind, NodeId, Tree};
use torchada_text::{TextRange, contains};

/// How many statements of a block are looked at.
const REACH: usize = 1024;

/// A function beside which another one does the same for MUSA, but for the device's name; with its decorators.
pub fn with_same_body(unit: &ModuleView<'_>, function: NodeId) -> Option<TextRange> {
    let tree = &unit.module.tree;
    if tree.kind(function) != Kind::Function {
        return None;
    }
    let body = tree.child(function, Field::Body)?;
    let whole = decorated(unit, function);
    let block = tree.parent(whole)?;
    // What is marked for both runs on either.
    let is_marked = |target: &str| {
        let marks = tree.word(whole).to_ascii_lowercase();
        contains(&marks, target)
    };
    let has_musa_counterpart = unit.context.knowledge.devices.iter().any(|device| {
        unit.contains(&device.to)
            && contains(tree.word(body), &device.cuda)
            && !is_marked(&device.to)
            && tree.children(block).take(REACH).any(|other| {
                let other = match tree.kind(other) {
                    Kind::Decorated => tree
                        .children(other)
                        .find(|&part| tree.kind(part) == Kind::Function),
                    Kind::Function => Some(other),
                    _ => None,
                };
                let other = other.filter(|&one| one != function);
                other
                    .and_then(|one| tree.child(one, Field::Body))
                    .is_some_and(|other| is_counterpart(tree, body, other, device))
            })
    });
    has_musa_counterpart.then(|| tree.range(whole))
}

/// Whether two blocks are the same code, but for the device's name in words and strings.
fn is_counterpart(tree: &Tree<'_>, body: NodeId, other: NodeId, device: &DeviceName) -> bool {
    let is_same = |one, other| {
        let parts = tree.children(one).count();
        tree.kind(one) == tree.kind(other)
            && parts == tree.children(other).count()
            && (parts > 0 || {
                let word = String::from_utf8_lossy(tree.word(other));
                word.replace(&device.to, &device.cuda).as_bytes() == tree.word(one)
            })
    };
    let mut others = tree.below(other);
    let mut parts = tree.below(body);
    let same = parts.all(|one| others.next().is_some_and(|other| is_same(one, other)));
    same && others.next().is_none()
}

fn decorated(unit: &ModuleView<'_>, function: NodeId) -> NodeId {
    let tree = &unit.module.tree;
    tree.decorated(function).unwrap_or(function)
}

/// The code behind `if a and is_musa(): return …` that only CUDA reaches, because a later `if not a: return …` ends the
/// function otherwise. `others`: the sides of the condition of `branch` besides the platform.
pub fn behind_rest(unit: &ModuleView<'_>, branch: NodeId, others: &[NodeId]) -> Option<TextRange> {
    let tree = &unit.module.tree;
    let [other] = *others else { return None };
    let block = tree.parent(branch)?;
    // `not name`, `not name or …`: where such a condition does not hold, the name does.
    let holds_without = |condition: NodeId| {
        let mut certain = tree.certain_parts(condition, false).into_iter();
        certain.any(|(part, holds)| holds && tree.word(part) == tree.word(other))
    };
    let mut later = tree.children(block).filter(|&one| one > branch).take(REACH);
    let rest = later.find(|&one| {
        tree.kind(one) == Kind::If
            && leaves(unit, one)
            && tree.child(one, Field::Condition).is_some_and(holds_without)
    })?;
    let end = tree.range(block).end;
    Some(TextRange::new(tree.range(rest).end, end))
}

/// `return torch.cuda` behind a branch that returns `torch.xpu`.
pub fn returned_after_other_platform(unit: &ModuleView<'_>, statement: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    if tree.kind(statement) != Kind::Return {
        return None;
    }
    let value = tree.nth(statement, 0)?;
    let name = unit.resolve(value)?;
    if name.name != unit.python_values().module.cuda {
        return None;
    }
    let block = tree.parent(statement)?;
    let mut before = tree
        .children(block)
        .take(REACH)
        .take_while(|&one| one < statement);
    let is_other = |one: NodeId| {
        let value = tree
            .last_statement(one)
            .filter(|&last| tree.kind(last) == Kind::Return)
            .and_then(|last| tree.nth(last, 0))
            .filter(|&value| tree.kind(value) == Kind::Attribute);
        value.is_some_and(|value| {
            let name = unit.module.last_name(value);
            platform(unit, &String::from_utf8_lossy(&name)) == Alternatives::OtherVendors
        })
    };
    before
        .any(|one| tree.kind(one) == Kind::If && is_other(one))
        .then_some(value)
}
