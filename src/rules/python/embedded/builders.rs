//! Calls that build source in strings with CUDA's compiler, and stay.

use super::BUILT_FOR_CUDA;
use crate::mapping::Embedded as Table;
use crate::rules::Outcome;
use crate::rules::python::PythonUnit;
use crate::rules::python::unit::contains;
use crate::syntax::python::{Field, Kind};

/// Report each such call where it is given CUDA's source.
pub(super) fn check(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome) {
    let mut rows = table.builders.iter();
    if !rows.any(|row| contains(unit.text, row.keyword.as_bytes())) {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.nodes().filter(|&node| tree.kind(node) == Kind::Call) {
        let Some(callee) = unit.module.callee(node) else {
            continue;
        };
        let Some(row) = table.builders.iter().find(|row| row.callee == callee.name) else {
            continue;
        };
        let names = tree.arguments(node);
        let mut names = names.filter_map(|one| tree.child(one, Field::Name));
        if let Some(name) = names.find(|&name| tree.word(name) == row.keyword.as_bytes()) {
            let message = format!(
                "`{}` of `{}` is built with CUDA's compiler, and the call stays",
                row.keyword, row.callee
            );
            let finding = unit.finding(BUILT_FOR_CUDA, tree.range(name), message);
            out.findings.push(finding.help(row.advice.clone()));
        }
    }
}
