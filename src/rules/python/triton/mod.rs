//! Kernels in Triton: names of NVIDIA's backend, options that MUSA's GPUs can't serve, targets.

mod names;
mod options;
mod targets;
mod warps;

use super::PythonUnit;
use crate::diagnostic::{Code, Severity};
use crate::mapping::triton::Triton as Table;
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Field, Kind};

/// A name of NVIDIA's backend.
pub const BACKEND_NAME: Code = Code {
    id: "PY072",
    severity: Severity::Warning,
    title: "a name of Triton's that is made for NVIDIA's GPUs",
};
/// More warps than a block of MUSA's holds.
pub const WARPS: Code = Code {
    id: "PY073",
    severity: Severity::Warning,
    title: "more warps than a block holds on some of MUSA's GPUs",
};
/// Options of NVIDIA's backend.
pub const OPTION: Code = Code {
    id: "PY074",
    severity: Severity::Warning,
    title: "an option of Triton's for NVIDIA's GPUs",
};
/// The target of a kernel.
pub const TARGET: Code = Code {
    id: "PY075",
    severity: Severity::Warning,
    title: "a target of Triton's is CUDA's",
};
/// The threads in a warp.
pub const WARP_SIZE: Code = Code {
    id: "PY076",
    severity: Severity::Note,
    title: "the threads in a warp as a number of CUDA's",
};

/// Kernels in Triton.
pub struct Triton;

const RULE: &str = "python-triton";

/// How many nodes of an expression are looked at.
const REACH: usize = 256;

impl Rule<PythonUnit<'_>> for Triton {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 5] = [BACKEND_NAME, WARPS, OPTION, TARGET, WARP_SIZE];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let table = Table::builtin();
        if !unit.says(&table.word) {
            return;
        }
        let tree = &unit.module.tree;
        for node in tree.nodes().filter(|&node| !tree.is_broken(node)) {
            match tree.kind(node) {
                Kind::Attribute => names::used(unit, table, out, node),
                Kind::Identifier if tree.field(node) == Field::Function => {
                    names::used(unit, table, out, node);
                }
                Kind::Import => names::imported(unit, table, out, node),
                Kind::ImportFrom => names::imported_from(unit, table, out, node),
                Kind::KeywordArgument => options::keyword(unit, table, out, node),
                Kind::Pair => options::pair(unit, table, out, node),
                Kind::Call => targets::made(unit, table, out, node),
                Kind::Comparison => targets::compared(unit, table, out, node),
                Kind::Assignment | Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                    warps::constant(unit, table, out, node);
                }
                _ => {}
            }
        }
    }
}
