//! Packages that are made for NVIDIA's GPUs: imports, lookups and requirements.

mod findings;
pub mod installing_commands;
mod need;
mod only_way;
mod probes;
mod required_packages;

use super::inference::{StringRole, any_use_here, string_role};
use super::{AboutNode, ModuleView, PythonUnit};
use crate::{Change, Outcome};
use findings::{report, report_pins};
use installing_commands::is_part_of_installing_command;
use need::{Need, by_import};
use probes::probed;
use required_packages::{Uses, holding, required_package};
use torchada_diagnostic::Applicability;
use torchada_mapping::has;
use torchada_mapping::python::packages::Packages as Table;
use torchada_syntax::python::{Consumer, Field, Kind, NodeId, Use};

/// Packages that are made for CUDA.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let mut found = Uses::default();
    let looks: [(Kind, Check); 4] = [
        (Kind::Import, imported),
        (Kind::ImportFrom, imported_from),
        (Kind::Call, probed),
        (Kind::Str, required),
    ];
    for (kind, look) in looks {
        for node in tree.of(kind) {
            look(unit, &mut found, node);
        }
    }
    let Uses {
        places: uses,
        changes,
        pins,
    } = found;
    if unit.is_musa() {
        for (range, to, package, applicability) in changes {
            let change = Change::new(range, &to)
                .applicability(applicability)
                .evidence(package.evidence);
            unit.change(out, change);
        }
    }
    report(unit, uses, out);
    report_pins(unit, &table.torch, pins, out);
    only_way::report(unit, out);
}

/// A check of one node; each check is for the nodes of one kind.
type Check = fn(&PythonUnit<'_>, &mut Uses, NodeId);

/// Packages in `import a.b, c as d`.
fn imported(unit: &PythonUnit<'_>, found: &mut Uses, node: NodeId) {
    let tree = &unit.module.tree;
    for name in tree.children(node) {
        let path = tree.child(name, Field::Name).unwrap_or(name);
        let shown = tree.shown(path);
        let Some((package, known)) = holding(unit, &shown) else {
            continue;
        };
        found.add(unit, path, package, known, by_import(unit, node, package));
        if let Some(to) = package.to.as_deref().filter(|_| shown == known) {
            let alias = tree.kind(name) == Kind::AliasedImport;
            let to = if alias {
                to.to_owned()
            } else {
                format!("{to} as {known}")
            };
            found
                .changes
                .push((tree.range(path), to, package, Applicability::Safe));
        }
    }
}

/// Packages in `from a.b import c, d`.
fn imported_from(unit: &PythonUnit<'_>, found: &mut Uses, node: NodeId) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = tree.shown(module);
    if path.starts_with('.') {
        return;
    }
    if let Some((package, known)) = holding(unit, &path) {
        found.add(unit, module, package, known, by_import(unit, node, package));
        if let Some(to) = package.to.as_deref().filter(|_| path == known) {
            // The counterpart may lack some of the imported names.
            let change = (
                tree.range(module),
                to.to_owned(),
                package,
                Applicability::Unsafe,
            );
            found.changes.push(change);
        }
        return;
    }
    // `from numba import cuda`
    for name in tree.imported_names(node) {
        let full = format!("{path}.{}", tree.shown(name));
        if let Some((package, known)) = holding(unit, &full) {
            found.add(unit, module, package, known, by_import(unit, node, package));
            return;
        }
    }
}

/// Packages in lists of requirements, `install_requires=["flash-attn>=2"]`, and those that a function installs.
fn required(unit: &PythonUnit<'_>, found: &mut Uses, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    // Requirements stand in lists, which leaves out most strings.
    let listed = tree.parent(node).is_some_and(|up| match tree.kind(up) {
        Kind::ArgumentList => is_installed(unit, node),
        Kind::List | Kind::Tuple | Kind::Set | Kind::KeywordArgument | Kind::Conditional => true,
        _ => false,
    });
    if !listed {
        return;
    }
    let raw = tree.word(node);
    let text = String::from_utf8_lossy(raw);
    let text = text.trim_matches(|one| matches!(one, '"' | '\''));
    if table.torch.are_unfit(text) {
        let of = unit.module.use_of(node);
        if holds_requirements(unit, &of) {
            found.pins.push((tree.range(node), text.to_owned()));
        }
        return;
    }
    let Some((package, known)) = required_package(unit, text) else {
        return;
    };
    let of = unit.module.use_of(node);
    let is_meant = || table.is_distribution(known) && string_role(unit, &of) != StringRole::Text;
    if holds_requirements(unit, &of) || is_installed(unit, node) || is_meant() {
        found.add(unit, node, package, known, Need::Required);
    }
}

/// Whether a function that installs packages is called with a text: `pip_install("cupy-cuda12x")`.
fn is_installed(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.call_with(text);
    call.is_some_and(|call| has(&Table::builtin().installs, unit.module.callee_word(call)))
}

fn holds_requirements(unit: &ModuleView<'_>, of: &Use) -> bool {
    let table = Table::builtin();
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
        // `gpu = ["cupy-cuda12x"]`, and then `extras_require={"gpu": gpu}`
        Consumer::Target { target } => {
            is_one(target)
                || tree.kind(target) == Kind::Identifier
                    && unit.about_uses(AboutNode::HoldsRequirements, target, || {
                        any_use_here(unit, target, &mut |node| {
                            let of = unit.module.use_of(node);
                            let is_given = !matches!(of.consumer, Consumer::Target { .. });
                            is_given && holds_requirements(unit, &of)
                        })
                    })
        }
        // `for name in ["cupy"]: run(["pip", "install", name])`
        Consumer::Loop { target } => unit.about_uses(AboutNode::IsInstalled, target, || {
            any_use_here(unit, target, &mut |name| {
                is_installed(unit, name) || is_part_of_installing_command(unit, name)
            })
        }),
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
