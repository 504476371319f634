//! Packages that are made for NVIDIA's GPUs: imports, lookups and requirements.

use super::unit::Change;
use super::{ModuleView, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::packages::{Package, PackageRelation, Packages as Table};
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// A package for CUDA is imported.
pub const CUDA_PACKAGE: Code = Code {
    id: "PY040",
    severity: Severity::Warning,
    title: "a package that is made for CUDA is imported",
};
/// A package that is imported under the same name on MUSA, where a build of its own serves it.
pub const OTHER_BUILD: Code = Code {
    id: "PY070",
    severity: Severity::Note,
    title: "a package that has to be MUSA's build of it",
};
/// A package with CUDA kernels of its own is imported.
pub const HAS_KERNELS: Code = Code {
    id: "PY071",
    severity: Severity::Warning,
    title: "a package with CUDA kernels of its own is imported",
};

/// Packages that are made for CUDA.
pub struct Packages;

const RULE: &str = "python-packages";

impl Rule<PythonUnit<'_>> for Packages {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 3] = [CUDA_PACKAGE, OTHER_BUILD, HAS_KERNELS];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let table = Table::builtin();
        let tree = &unit.module.tree;
        let looks: [(Kind, Check); 4] = [
            (Kind::Import, imported),
            (Kind::ImportFrom, imported_from),
            (Kind::Call, probed),
            (Kind::Str, required),
        ];
        for (kind, look) in looks {
            for node in tree.of(kind) {
                look(unit, table, out, node);
            }
        }
    }
}

/// A check of one node; each check is for the nodes of one kind.
type Check = fn(&PythonUnit<'_>, &Table, &mut Outcome, NodeId);

/// The package that a dotted name belongs to. `None` for a package that the tree itself contains.
fn holding<'t>(
    unit: &PythonUnit<'_>,
    table: &'t Table,
    path: &str,
) -> Option<(&'t Package, &'t str)> {
    let root = path.split('.').next().unwrap_or(path);
    table
        .holding(path)
        .filter(|_| !unit.project.python_packages.contains(root))
}

/// The package that a requirement names. `None` where the tree is that package. The name of a package in lists of
/// requirements is most often the name in imports.
fn wanted<'t>(
    unit: &PythonUnit<'_>,
    table: &'t Table,
    requirement: &str,
) -> Option<(&'t Package, &'t str)> {
    let mut own = unit.project.python_packages.iter();
    table
        .required(requirement)
        .filter(|(_, known)| !own.any(|one| one.replace('_', "-") == **known))
}

/// Packages in `import a.b, c as d`.
fn imported(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    for name in tree.children(node) {
        let path = tree.child(name, Field::Name).unwrap_or(name);
        let shown = unit.shown(tree.range(path));
        let Some((package, known)) = holding(unit, table, &shown) else {
            continue;
        };
        report(unit, out, path, package, known);
        if let Some(to) = package.to.as_deref().filter(|_| shown == known) {
            let alias = tree.kind(name) == Kind::AliasedImport;
            let to = if alias {
                to.to_owned()
            } else {
                format!("{to} as {known}")
            };
            change(unit, out, path, package, &to, Applicability::Safe);
        }
    }
}

/// Packages in `from a.b import c, d`.
fn imported_from(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = unit.shown(tree.range(module));
    if path.starts_with('.') {
        return;
    }
    if let Some((package, known)) = holding(unit, table, &path) {
        report(unit, out, module, package, known);
        if let Some(to) = package.to.as_deref().filter(|_| path == known) {
            // The counterpart may lack some of the imported names.
            change(unit, out, module, package, to, Applicability::Unsafe);
        }
        return;
    }
    // `from numba import cuda`
    for name in tree.children(node).filter(|&name| name != module) {
        let name = tree.child(name, Field::Name).unwrap_or(name);
        let full = format!("{path}.{}", unit.shown(tree.range(name)));
        if let Some((package, known)) = holding(unit, table, &full) {
            report(unit, out, module, package, known);
            return;
        }
    }
}

/// Packages that a call looks for by name: `find_spec("flash_attn")`, `import_module("cupy")`.
fn probed(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, call: NodeId) {
    let tree = &unit.module.tree;
    let word = unit.module.callee_word(call);
    let is_one = |names: &[String]| names.iter().any(|name| name.as_bytes() == word);
    let (imports, distributes) = (is_one(&table.probes), is_one(&table.distributions));
    if !imports && !distributes {
        return;
    }
    let literal = tree
        .argument(call, 0)
        .and_then(|first| Literal::read(tree, first))
        .filter(Literal::is_plain);
    let Some(literal) = literal else { return };
    let path = String::from_utf8_lossy(literal.value()).into_owned();
    let found = holding(unit, table, &path).filter(|_| imports);
    let Some((package, known)) = found else {
        if let Some((package, known)) = wanted(unit, table, &path).filter(|_| distributes) {
            report(unit, out, literal.node, package, known);
        }
        return;
    };
    report(unit, out, literal.node, package, known);
    if let Some(to) = package.to.as_deref().filter(|_| path == known)
        && let Some(place) = literal.in_file(crate::text::TextRange::new(0, path.len()))
    {
        let applicability = Applicability::Unsafe;
        let change = Change {
            range: place,
            to,
            rule: RULE,
            applicability,
            evidence: package.evidence,
        };
        if unit.is_musa() {
            unit.change(out, &change);
        }
    }
}

/// Packages in lists of requirements: `install_requires=["flash-attn>=2"]`.
fn required(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    // Requirements stand in lists, which leaves out most strings.
    let listed = tree.parent(node).is_some_and(|up| {
        matches!(
            tree.kind(up),
            Kind::List | Kind::Tuple | Kind::Set | Kind::KeywordArgument
        )
    });
    if !listed {
        return;
    }
    let raw = tree.word(node);
    let text = String::from_utf8_lossy(raw);
    let text = text.trim_matches(|one| matches!(one, '"' | '\''));
    let Some((package, known)) = wanted(unit, table, text) else {
        return;
    };
    let of = unit.module.use_of(node);
    if holds_requirements(unit, table, &of) {
        report(unit, out, node, package, known);
    }
}

fn holds_requirements(unit: &ModuleView<'_>, table: &Table, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let is_one = |name: NodeId| {
        let name = unit.module.last_name(name).to_ascii_lowercase();
        table
            .requirements
            .iter()
            .any(|one| name.ends_with(one.as_bytes()))
    };
    match of.consumer {
        Consumer::Keyword { name, .. } => is_one(name),
        Consumer::Target { target } => is_one(target),
        Consumer::DictValue { pair } => tree.parent(pair).is_some_and(|dictionary| {
            let whole = unit.module.use_of(dictionary);
            match whole.consumer {
                Consumer::Keyword { name, .. } => is_one(name),
                Consumer::Target { target } => is_one(target),
                _ => false,
            }
        }),
        _ => false,
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, place: NodeId, package: &Package, known: &str) {
    let (code, message) = match package.relation {
        PackageRelation::None => (CUDA_PACKAGE, format!("`{known}` is made for CUDA")),
        PackageRelation::Renamed => (
            CUDA_PACKAGE,
            format!(
                "`{known}` is made for CUDA; `{}` has its work on MUSA",
                package.to.as_deref().unwrap_or_default()
            ),
        ),
        PackageRelation::Twin => (
            OTHER_BUILD,
            format!("`{known}` has to be MUSA's build of it"),
        ),
        PackageRelation::Kernels => (
            HAS_KERNELS,
            format!("`{known}` has CUDA kernels of its own"),
        ),
    };
    let range = unit.module.tree.range(place);
    let finding = unit.finding(code, range, message);
    out.findings.push(finding.help(package.advice.clone()));
}

fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    place: NodeId,
    package: &Package,
    to: &str,
    applicability: Applicability,
) {
    if !unit.is_musa() {
        return;
    }
    let change = Change {
        range: unit.module.tree.range(place),
        to,
        rule: RULE,
        applicability,
        evidence: package.evidence,
    };
    unit.change(out, &change);
}
