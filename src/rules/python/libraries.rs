//! `torch.cuda.cudart().cudaProfilerStart()`: a library's functions by CUDA's names.

use super::inference::only_value;
use super::names::{ABSENT_NAME, UNKNOWN_NAME, left};
use super::unit::Change;
use super::{ModuleView, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::LibraryOf;
use crate::mapping::Section;
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Field, Kind, NodeId};

/// Functions of a library that a call gives.
pub struct Libraries;

impl Rule<PythonUnit<'_>> for Libraries {
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
        for node in tree.of(Kind::Attribute) {
            let (Some(object), Some(name)) = (
                tree.child(node, Field::Object),
                tree.child(node, Field::Attribute),
            ) else {
                continue;
            };
            let Some(library) = library(unit, object) else {
                continue;
            };
            let word = tree.word(name);
            let row = unit.context.tables.get(Section::Names, word);
            let to = row.and_then(|row| row.to.as_ref());
            if to.is_some_and(|to| !library.has.iter().any(|one| one == to)) {
                let shown = unit.shown(tree.range(name));
                let finding = left(unit, ABSENT_NAME, None, &shown, tree.range(name));
                out.findings.push(finding.help(library.advice.clone()));
            } else if let Some((to, evidence)) =
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

/// The library that an expression gives: the expression is a call that returns the library, or a name whose only value is
/// such a call.
fn library<'u>(unit: &ModuleView<'u>, node: NodeId) -> Option<&'u LibraryOf> {
    let tree = &unit.module.tree;
    match tree.kind(node) {
        Kind::Call => {
            let last = unit.module.callee_word(node);
            let mut libraries = unit.python_values().libraries.iter().filter(|one| {
                let name = one.callee.rsplit('.').next();
                name.map(str::as_bytes) == Some(last)
            });
            libraries.find(|one| {
                let callee = unit.module.callee(node);
                callee.is_some_and(|callee| callee.is_sure() && callee.name == one.callee)
            })
        }
        Kind::Identifier => only_value(unit, node)
            .filter(|&value| tree.kind(value) == Kind::Call)
            .and_then(|call| library(unit, call)),
        _ => None,
    }
}
