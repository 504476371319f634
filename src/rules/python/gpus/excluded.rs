//! Tests behind which the version of CUDA is not None, or which lead MUSA elsewhere.

use super::answers::answer;
use super::values::Values;
use crate::python::leaving::leaves;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How far the search for a test goes.
const REACH: usize = 64;

/// Whether a test around the use of a version, or before it, excludes None.
pub(super) fn is_tested(values: &Values<'_>, node: NodeId, word: &[u8]) -> bool {
    let tree = &values.unit.module.tree;
    let mut below = node;
    for up in tree.ancestors(node).take(REACH) {
        let known = match tree.kind(up) {
            Kind::Function | Kind::Class | Kind::Module => {
                return tree.kind(up) == Kind::Module && is_left_before(values, up, below, word);
            }
            Kind::Boolean => {
                let operator = tree.child(up, Field::Operator);
                let and = operator.is_some_and(|one| tree.word(one) == b"and");
                let left = tree.child(up, Field::Left).filter(|&left| left != below);
                left.is_some_and(|left| is_excluded(values, left, word, and))
            }
            Kind::Conditional => match (tree.ordinal(below), tree.nth(up, 1)) {
                (0, Some(test)) => is_excluded(values, test, word, true),
                (2, Some(test)) => is_excluded(values, test, word, false),
                _ => false,
            },
            Kind::If | Kind::Elif | Kind::While => {
                let test = tree.child(up, Field::Condition);
                test.is_some_and(|test| match tree.field(below) {
                    Field::Condition => false,
                    Field::Consequence | Field::Body => is_excluded(values, test, word, true),
                    _ => is_excluded(values, test, word, false),
                })
            }
            Kind::Block => is_left_before(values, up, below, word),
            _ => false,
        };
        if known {
            return true;
        }
        below = up;
    }
    false
}

/// Whether a statement of the block before `below` leaves the block if the version is None.
fn is_left_before(values: &Values<'_>, block: NodeId, below: NodeId, word: &[u8]) -> bool {
    let tree = &values.unit.module.tree;
    let before = tree.children(block).take_while(|&one| one != below);
    let before: Vec<NodeId> = before.collect();
    before
        .into_iter()
        .rev()
        .take(REACH)
        .any(|statement| match tree.kind(statement) {
            Kind::Assert => tree
                .nth(statement, 0)
                .is_some_and(|test| is_excluded(values, test, word, true)),
            Kind::If => {
                let test = tree.child(statement, Field::Condition);
                leaves(&values.unit, statement)
                    && test.is_some_and(|test| is_excluded(values, test, word, false))
            }
            _ => false,
        })
}

/// Whether the version cannot be None where a test gives `outcome`, or the test never gives that on MUSA.
fn is_excluded(values: &Values<'_>, test: NodeId, word: &[u8], outcome: bool) -> bool {
    excludes_none(values, test, word, outcome) || answer(values, test) == Some(!outcome)
}

/// Whether the version cannot be None if a test gives `outcome`.
fn excludes_none(values: &Values<'_>, test: NodeId, word: &[u8], outcome: bool) -> bool {
    let tree = &values.unit.module.tree;
    match tree.kind(test) {
        Kind::Parenthesized => tree
            .nth(test, 0)
            .is_some_and(|inner| excludes_none(values, inner, word, outcome)),
        Kind::Not => tree
            .nth(test, 0)
            .is_some_and(|inner| excludes_none(values, inner, word, !outcome)),
        Kind::Boolean => {
            let operator = tree.child(test, Field::Operator);
            let and = operator.is_some_and(|one| tree.word(one) == b"and");
            and == outcome
                && tree
                    .children(test)
                    .any(|side| excludes_none(values, side, word, outcome))
        }
        Kind::Comparison => {
            let parts: Vec<NodeId> = tree.children(test).take(4).collect();
            let [left, operator, right] = *parts.as_slice() else {
                return false;
            };
            let none = [left, right]
                .iter()
                .any(|&one| tree.kind(one) == Kind::None);
            let about = [left, right].iter().any(|&one| tree.word(one) == word);
            let is_not = matches!(tree.word(operator), b"is not" | b"!=");
            none && about && is_not == outcome
        }
        _ => outcome && tree.word(test) == word,
    }
}
