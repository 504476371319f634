//! Packages that the code looks for by a name in a text.

use super::need::Need;
use super::required_packages::{Uses, holding, required_package};
use crate::python::PythonUnit;
use crate::python::inference::is_imported_by_own_function;
use torchada_diagnostic::Applicability;
use torchada_mapping::effort::Effort;
use torchada_mapping::has;
use torchada_mapping::python::packages::{Package, Packages as Table};
use torchada_mapping::stub::StubKnowledge;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// Packages that a call looks for by name: `find_spec("flash_attn")`, `import_module("cupy")`, or a function of the tree's
/// that does so.
pub(super) fn probed(unit: &PythonUnit<'_>, found: &mut Uses, call: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let Some(arguments) = tree.child(call, Field::Arguments) else {
        return;
    };
    let word = unit.module.callee_word(call);
    let is_one = |names: &[String]| has(names, word);
    let (imports, distributes) = (is_one(&table.probes), is_one(&table.distributions));
    for argument in tree.children(arguments) {
        let is_keyword = tree.kind(argument) == Kind::KeywordArgument;
        let value = tree.child(argument, Field::Value).filter(|_| is_keyword);
        let value = value.unwrap_or(argument);
        if tree.kind(value) != Kind::Str {
            continue;
        }
        let is_first = tree.argument(call, 0) == Some(value);
        let Some(literal) = Literal::plain(tree, value) else {
            continue;
        };
        let path = literal.text().into_owned();
        let known = holding(unit, &path).filter(|_| {
            imports && is_first
                || !is_short(unit, &path) && {
                    let of = unit.module.use_of(value);
                    is_imported_by_own_function(unit, &of)
                }
        });
        if let Some((package, known)) = known {
            add_probe(unit, found, &literal, package, known);
        } else if distributes
            && is_first
            && let Some((package, known)) = required_package(unit, &path)
        {
            found.add(unit, value, package, known, probed_by(unit));
        }
    }
}

/// Whether a text is a name of CUDA's that is seldom a package's: `"cuda"`, `"nccl"`.
fn is_short(unit: &PythonUnit<'_>, path: &str) -> bool {
    let devices = &unit.context.knowledge.devices;
    let backends = &StubKnowledge::builtin().backends;
    devices.iter().any(|one| one.cuda == path) || backends.iter().any(|one| one.cuda == path)
}

/// Note a package that a call looks for, and the name that the package has on MUSA.
fn add_probe(
    unit: &PythonUnit<'_>,
    found: &mut Uses,
    literal: &Literal,
    package: &'static Package,
    known: &'static str,
) {
    found.add(unit, literal.node, package, known, probed_by(unit));
    if let Some(to) = package.to.as_deref()
        && literal.value() == known.as_bytes()
        && let Some(place) = literal.in_file(TextRange::new(0, known.len()))
    {
        let change = (place, to.to_owned(), package, Applicability::Unsafe);
        found.changes.push(change);
    }
}

/// How a module asks that looks for a package by its name.
fn probed_by(unit: &PythonUnit<'_>) -> Need {
    if Effort::builtin().is_auxiliary(unit.path) {
        Need::Auxiliary
    } else {
        Need::Probed
    }
}
