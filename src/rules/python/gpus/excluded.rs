//! Tests behind which the version of CUDA is not None, or which lead MUSA elsewhere.

use super::answers::answer;
use super::values::Values;
use crate::python::leaving::leaves;
use torchada_syntax::python::{Kind, NodeId};

/// How far the search for a test goes.
const REACH: usize = 64;

/// Whether a test around the use of a version, or before it, excludes None.
pub(super) fn is_tested(values: &Values<'_>, node: NodeId, word: &[u8]) -> bool {
    let tree = &values.unit.module.tree;
    let around = tree.ancestors(node).take(REACH);
    let around = around.take_while(|&up| !matches!(tree.kind(up), Kind::Function | Kind::Class));
    let premises = tree.premises(node, around, &|one| leaves(&values.unit, one));
    let mut premises = premises.iter();
    premises.any(|one| is_excluded(values, one.condition, word, one.holds))
}

/// Whether the version cannot be None where a test gives `outcome`, or the test never gives that on MUSA.
fn is_excluded(values: &Values<'_>, test: NodeId, word: &[u8], outcome: bool) -> bool {
    excludes_none(values, test, word, outcome) || answer(values, test) == Some(!outcome)
}

/// Whether the version cannot be None if a test gives `outcome`.
fn excludes_none(values: &Values<'_>, test: NodeId, word: &[u8], outcome: bool) -> bool {
    let tree = &values.unit.module.tree;
    let mut certain = tree.certain_parts(test, outcome).into_iter();
    certain.any(|(part, outcome)| match tree.kind(part) {
        Kind::Comparison => {
            let mut sides = tree.operands(part);
            let is_not = matches!(tree.operator(part), b"is not" | b"!=");
            tree.operands(part).count() == 2
                && tree.compares_with_none(part)
                && sides.any(|side| tree.word(side) == word)
                && is_not == outcome
        }
        _ => outcome && tree.word(part) == word,
    })
}
