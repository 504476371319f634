//! Kernels in Triton: names of NVIDIA's backend, options that MUSA's GPUs can't serve, targets.

mod names;
mod options;
mod targets;
mod warps;

use super::PythonUnit;
use super::joined_findings::join;
use crate::Outcome;
use targets::REACH;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::python::{BACKEND_NAME, OPTION};
use torchada_mapping::python::triton::Triton as Table;
use torchada_syntax::python::{Field, Kind};

/// Kernels in Triton.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let table = Table::builtin();
    if !unit.contains(&table.word) {
        return;
    }
    let tree = &unit.module.tree;
    let before = out.findings.len();
    let may_name_one = table.may_name_one(|part| unit.contains(part));
    for node in tree.nodes().filter(|&node| !tree.is_broken(node)) {
        match tree.kind(node) {
            Kind::Attribute if may_name_one => names::check_use(unit, out, node),
            Kind::Identifier if may_name_one && tree.field(node) == Field::Function => {
                names::check_use(unit, out, node);
            }
            Kind::Import if may_name_one => names::check_import(unit, out, node),
            Kind::ImportFrom if may_name_one => {
                names::check_import_from(unit, out, node);
            }
            Kind::KeywordArgument => options::check_keyword(unit, out, node),
            Kind::Pair => options::check_entry(unit, out, node),
            Kind::Call => targets::check_construction(unit, out, node),
            Kind::Comparison => targets::check_comparison(unit, out, node),
            Kind::Assignment | Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                warps::check_constant(unit, out, node);
            }
            _ => {}
        }
    }
    // A kernel names the same part of the backend in many lines, and is rewritten as a whole.
    for code in [BACKEND_NAME, OPTION] {
        let key = |one: &Finding| one.help.clone().unwrap_or_default();
        join(unit, out, before, code, key, |first, places| Finding {
            message: first.message.clone() + &places.uses(),
            ..first
        });
    }
}
