//! Versions of NVIDIA's libraries.

use super::comparisons::short;
use super::values::Values;
use crate::diagnostic::{Code, Severity};
use crate::mapping::gpus::Gives;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId};

/// The version of a library of NVIDIA's.
pub const VERSION: Code = Code {
    id: "PY028",
    severity: Severity::Warning,
    title: "the version of a library of NVIDIA's is asked for",
};

/// Look at a comparison: a version against a number.
pub(super) fn check_comparison(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    for side in tree.children(node).take(8) {
        if tree.kind(side) == Kind::Operator {
            continue;
        }
        let Some(value) = values.of(side).filter(|one| one.gives == Gives::Library) else {
            continue;
        };
        let Some(origin) = value.origin else { continue };
        let name = library(values, origin);
        if let Some(library) = name.filter(|one| !one.always) {
            let range = tree.range(node);
            let message = format!(
                "`{}` holds a version of another library against a number",
                short(&unit.shown(range))
            );
            let finding = unit.finding(VERSION, range, message);
            out.findings.push(finding.help(library.advice.clone()));
            return;
        }
    }
}

/// Look at a name that is reported wherever it stands.
pub(super) fn check_name(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let last = unit.module.last_name(node);
    let mut libraries = values.gpus.libraries.iter();
    let may = libraries
        .any(|one| one.always && one.name.rsplit('.').next().map(str::as_bytes) == Some(&last[..]));
    if !may {
        return;
    }
    if let Some(library) = library(values, node).filter(|one| one.always) {
        let range = tree.range(node);
        let message = format!("`{}` is not there on MUSA", library.name);
        let finding = unit.finding(VERSION, range, message);
        out.findings.push(finding.help(library.advice.clone()));
    }
}

fn library<'v>(
    values: &'v Values<'_, '_>,
    node: NodeId,
) -> Option<&'v crate::mapping::gpus::LibraryVersion> {
    let module = values.unit.module;
    let callee = match module.tree.kind(node) {
        Kind::Call => module.tree.child(node, Field::Function)?,
        _ => node,
    };
    let name = module.resolve(callee)?.name;
    values.gpus.libraries.iter().find(|one| one.name == name)
}
