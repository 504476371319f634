//! `torch.cuda.cudart().cudaProfilerStart()`: a library's functions by CUDA's names.

use super::names::{UNKNOWN_NAME, left};
use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::Section;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// Functions of a library that a call gives.
pub struct Libraries;

impl PythonRule for Libraries {
    fn name(&self) -> &'static str {
        "python-libraries"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let tree = &unit.module.tree;
        for node in tree.nodes() {
            if tree.kind(node) != Kind::Attribute {
                continue;
            }
            let (Some(object), Some(name)) = (
                tree.child(node, Field::Object),
                tree.child(node, Field::Attribute),
            ) else {
                continue;
            };
            if !gives_library(unit, object) {
                continue;
            }
            let word = tree.word(name);
            let row = unit.lore.tables.get(Section::Names, word);
            if let Some((to, evidence)) =
                row.and_then(|row| Some((row.to.as_deref()?, row.evidence)))
            {
                let change = Change {
                    range: tree.range(name),
                    to,
                    rule: self.name(),
                    applicability: Applicability::Safe,
                    evidence,
                };
                unit.change(out, &change);
            } else {
                let shown = unit.shown(tree.range(name));
                let finding = left(unit, UNKNOWN_NAME, row, &shown, tree.range(name));
                out.findings.push(finding);
            }
        }
    }
}

/// Whether an expression is the library: the call, or a name that has it as its one value.
fn gives_library(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Call => {
            let libraries = &unit.positions().libraries;
            let last = unit.module.callee_word(node);
            let may = |callee: &str| callee.rsplit('.').next().map(str::as_bytes) == Some(last);
            libraries.iter().any(|one| may(&one.callee))
                && unit.module.callee(node).is_some_and(|callee| {
                    callee.is_sure() && libraries.iter().any(|one| one.callee == callee.name)
                })
        }
        Kind::Identifier => match unit.module.bindings(node, tree.word(node)).1 {
            [one] => match one.what {
                What::Value(value) => tree.kind(value) == Kind::Call && gives_library(unit, value),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}
