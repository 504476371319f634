//! Packages that are made for CUDA: `cuda.bindings`, `cupy`, `pynvml`.

use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Code, Severity};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId};

/// A package for CUDA is imported.
pub const CUDA_PACKAGE: Code = Code {
    id: "PY040",
    severity: Severity::Warning,
    title: "a package that is made for CUDA is imported",
};

/// Imports of packages that are made for CUDA.
pub struct Packages;

impl PythonRule for Packages {
    fn name(&self) -> &'static str {
        "python-packages"
    }

    fn codes(&self) -> &'static [Code] {
        &[CUDA_PACKAGE]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        for node in tree.nodes() {
            match tree.kind(node) {
                Kind::Import => {
                    for name in tree.children(node) {
                        let path = tree.child(name, Field::Name).unwrap_or(name);
                        report(unit, out, path, &[unit.shown(tree.range(path))]);
                    }
                }
                Kind::ImportFrom => {
                    let Some(module) = tree.child(node, Field::ModuleName) else {
                        continue;
                    };
                    let path = unit.shown(tree.range(module));
                    let member = |name: NodeId| {
                        let name = tree.child(name, Field::Name).unwrap_or(name);
                        format!("{path}.{}", unit.shown(tree.range(name)))
                    };
                    let names = tree.children(node).filter(|&name| name != module);
                    let mut paths: Vec<String> = names.map(member).collect();
                    paths.push(path.clone());
                    report(unit, out, module, &paths);
                }
                _ => {}
            }
        }
    }
}

/// Report an import where one of the dotted names that it brings in is of such a package.
fn report(unit: &PythonUnit<'_>, out: &mut Outcome, place: NodeId, paths: &[String]) {
    let inside = |path: &str, package: &str| {
        path.strip_prefix(package)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut packages = unit.positions().packages.iter();
    let known = packages.find(|one| paths.iter().any(|path| inside(path, &one.name)));
    if let Some(package) = known {
        let range = unit.module.tree.range(place);
        let message = format!("`{}` is made for CUDA", package.name);
        let finding = unit.finding(CUDA_PACKAGE, range, message);
        out.findings.push(finding.help(package.advice.clone()));
    }
}
