//! `import torchada` where a program starts, before anything that touches torch.

use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// Imports of the package for run time.
pub struct Entry;

impl PythonRule for Entry {
    fn name(&self) -> &'static str {
        "python-entry"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        // Where nothing is CUDA's, nothing needs it.
        let needs = !out.edits.is_empty() || !out.findings.is_empty();
        if !unit.settings.import_stub || !needs || !is_entry(unit) {
            return;
        }
        let tree = &unit.module.tree;
        let stub = &unit.positions().entry.import;
        let imported = |node: NodeId| roots(unit, node).iter().any(|root| root == stub);
        if tree.nodes().any(imported) {
            return;
        }
        let Some(root) = tree.nodes().next() else {
            return;
        };
        let first = tree
            .children(root)
            .find(|&statement| brings_more(unit, statement));
        let Some(first) = first.filter(|&first| !tree.is_broken(first)) else {
            return;
        };
        let at = tree.range(first).start;
        let line_end = if unit.text.windows(2).any(|two| two == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let change = Change {
            range: TextRange::new(at, at),
            to: &format!("import {stub}{line_end}"),
            rule: self.name(),
            applicability: Applicability::Safe,
            evidence: None,
        };
        unit.change(out, &change);
    }
}

/// Whether a program or a package starts with this module.
fn is_entry(unit: &PythonUnit<'_>) -> bool {
    let name = unit.path.rsplit('/').next().unwrap_or(unit.path);
    let entry = &unit.positions().entry;
    entry.files.iter().any(|known| known == name) || runs_as_script(unit)
}

/// `if __name__ == "__main__":` at the top.
fn runs_as_script(unit: &PythonUnit<'_>) -> bool {
    let tree = &unit.module.tree;
    let Some(root) = tree.nodes().next() else {
        return false;
    };
    let asks = |statement: NodeId| {
        let condition = (tree.kind(statement) == Kind::If)
            .then(|| tree.child(statement, Field::Condition))
            .flatten();
        let mut parts = condition.into_iter().flat_map(|one| tree.children(one));
        parts.any(|part| {
            Literal::read(tree, part).is_some_and(|literal| literal.value() == b"__main__")
        })
    };
    tree.children(root).any(asks)
}

/// The first parts of the modules that an import names; a dot for relative ones.
fn roots(unit: &PythonUnit<'_>, node: NodeId) -> Vec<String> {
    let tree = &unit.module.tree;
    let first = |path: NodeId| {
        let path = unit.shown(tree.range(path));
        let root = path.split('.').next().unwrap_or_default().trim();
        if root.is_empty() {
            ".".to_owned()
        } else {
            root.to_owned()
        }
    };
    match tree.kind(node) {
        Kind::ImportFrom => tree
            .child(node, Field::ModuleName)
            .map(first)
            .into_iter()
            .collect(),
        Kind::Import => tree
            .children(node)
            .map(|name| tree.child(name, Field::Name).unwrap_or(name))
            .map(first)
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a statement at the top imports something that may bring torch in.
fn brings_more(unit: &PythonUnit<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    if matches!(
        tree.kind(statement),
        Kind::Function | Kind::Class | Kind::Decorated
    ) {
        return false;
    }
    let standard = &unit.positions().entry.standard;
    std::iter::once(statement)
        .chain(tree.below(statement))
        .flat_map(|node| roots(unit, node))
        .any(|root| !standard.contains(&root))
}
