//! Errors that stop the program as it is loaded.

use crate::Outcome;
use crate::python::PythonUnit;
use torchada_diagnostic::Severity;
use torchada_diagnostic::codes::python::{HOST_TAKEN, ONLY_BY_PACKAGE};
use torchada_syntax::python::Kind;

/// What may keep the statements in it from running as the module is loaded.
const NOT_ALWAYS: [Kind; 7] = [
    Kind::Function,
    Kind::Lambda,
    Kind::If,
    Kind::Conditional,
    Kind::Try,
    Kind::With,
    Kind::Boolean,
];

/// Mark the errors whose code runs whenever a package or a program of the tree starts.
pub fn mark(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !unit.is_whole_file || !unit.modules.is_loaded_at_start(unit.index) {
        return;
    }
    let tree = &unit.module.tree;
    for finding in &mut out.findings {
        // A program that takes the CPU starts all the same.
        let takes_host = [HOST_TAKEN, ONLY_BY_PACKAGE].contains(&finding.code);
        let stops = finding.code.severity == Severity::Error && !takes_host;
        if !stops || finding.is_whole() {
            continue;
        }
        let mut around = NOT_ALWAYS.iter().flat_map(|&kind| tree.of(kind));
        finding.at_start |= !around.any(|node| tree.range(node).covers(finding.range));
    }
}
