//! Flags that say whether there is a GPU, where only a package that MUSA lacks reaches one: `has_gpu = has_cupy_gpu or has_mps`.

use super::required_packages::holding;
use crate::Outcome;
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::platform;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::ONLY_BY_PACKAGE;
use torchada_mapping::python::packages::{Package, PackageRelation};
use torchada_mapping::{has, has_part};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

/// How many sides of a condition, and how many nodes of a statement, are looked at.
const SIDES: usize = 16;
const NODES: usize = 256;

/// Report the flags that are false on MUSA, since the package is not there.
pub(super) fn report(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if unit.modules.has_musa() {
        return;
    }
    let tree = &unit.module.tree;
    for assignment in tree.of(Kind::Assignment) {
        let target = tree.child(assignment, Field::Left);
        let value = tree.child(assignment, Field::Right);
        let (Some(target), Some(value)) = (target, value) else {
            continue;
        };
        if tree.kind(target) != Kind::Identifier || !mentions_gpu(unit, target) {
            continue;
        }
        let mut sides = Vec::new();
        add_sides(unit, value, &mut sides);
        let packages = sides.iter().map(|&side| package_of_flag(unit, side));
        let packages: Vec<Option<&Package>> = packages.collect();
        let is_others = |side: NodeId| names_other_platform(unit, side);
        let mut known = sides.iter().zip(&packages);
        let first = packages.iter().copied().flatten().next();
        let Some(package) =
            first.filter(|_| known.all(|(&side, one)| one.is_some() || is_others(side)))
        else {
            continue;
        };
        let shown = tree.shown(target);
        let message = format!(
            "the GPU is reached by `{}` only: `{shown}` is false on MUSA",
            package.name()
        );
        let help = package.advice.clone();
        unit.report(out, ONLY_BY_PACKAGE, tree.range(target), message, help);
    }
}

/// Whether a name says that it tells of a GPU: `has_gpu`.
fn mentions_gpu(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let any_gpu = &unit.python_values().vendors.any_gpu;
    has_part(any_gpu, unit.module.tree.word(name))
}

/// The names of which one has to be true for a value to be.
fn add_sides(unit: &ModuleView<'_>, value: NodeId, found: &mut Vec<NodeId>) {
    let tree = &unit.module.tree;
    match tree.kind(value) {
        Kind::Parenthesized => {
            for inner in tree.children(value) {
                add_sides(unit, inner, found);
            }
        }
        Kind::Boolean if tree.operator(value) == b"or" && found.len() < SIDES => {
            for side in tree.operands(value) {
                add_sides(unit, side, found);
            }
        }
        _ => found.push(value),
    }
}

/// The package that MUSA lacks and whose import decides a flag: the flag is true in its `try` alone.
fn package_of_flag(unit: &PythonUnit<'_>, flag: NodeId) -> Option<&'static Package> {
    let tree = &unit.module.tree;
    let bindings = unit.module.meanings(flag);
    let mut found = None;
    for binding in bindings {
        match binding.what {
            BoundValue::Nothing => {}
            BoundValue::Value(value) => match tree.kind(value) {
                Kind::False => {}
                Kind::True => found = Some(package_around(unit, value)?),
                _ => return None,
            },
            _ => return None,
        }
    }
    found
}

/// The package that a `try` around a value imports.
fn package_around(unit: &PythonUnit<'_>, value: NodeId) -> Option<&'static Package> {
    let tree = &unit.module.tree;
    let tries = tree
        .ancestors(value)
        .filter(|&one| tree.kind(one) == Kind::Try);
    tries
        .filter_map(|one| tree.child(one, Field::Body))
        .find_map(|body| {
            let mut imports = tree
                .below(body)
                .take(NODES)
                .filter(|&one| tree.kind(one) == Kind::Import);
            imports.find_map(|import| {
                tree.imported_names(import).find_map(|path| {
                    let (package, _) = holding(unit, &tree.shown(path))?;
                    (package.relation == PackageRelation::None && !package.anywhere)
                        .then_some(package)
                })
            })
        })
}

/// Whether a name says that it tells of another platform's device: `has_mps`.
fn names_other_platform(unit: &ModuleView<'_>, name: NodeId) -> bool {
    let vendors = &unit.python_values().vendors;
    let name = String::from_utf8_lossy(&unit.module.last_name(name)).to_ascii_lowercase();
    let mut parts = name.split('_');
    parts.any(|part| {
        platform(unit, part) == Alternatives::OtherVendors || has(&vendors.no_rivals, part)
    })
}
