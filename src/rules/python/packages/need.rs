//! How a module asks for a package: whether it is loaded without it.

use crate::python::PythonUnit;
use crate::python::exceptions::is_caught;
use torchada_mapping::effort::Effort;
use torchada_mapping::has_part;
use torchada_mapping::python::packages::{Package, Packages as Table};
use torchada_syntax::python::{Field, Guard, Kind, NodeId, catches_failed_import};

/// How a module asks for a package, the lightest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// A test, a benchmark or an example does.
    Auxiliary,
    /// Type checkers alone import it.
    Typing,
    /// The code asks whether it is there.
    Probed,
    /// The failure of the import is caught.
    Caught,
    /// The import is behind a question whether it is there.
    Checked,
    /// A function imports it when it is called.
    Function,
    /// A list of requirements has it.
    Required,
    /// A branch imports it whose condition may hold on MUSA.
    Branch,
    /// The module can't be loaded without it.
    Needed,
    /// The tree can't start without it.
    Start,
}

/// How an import asks for its package.
pub fn by_import(unit: &PythonUnit<'_>, statement: NodeId, package: &Package) -> Need {
    if Effort::builtin().is_auxiliary(unit.path) {
        return Need::Auxiliary;
    }
    let tree = &unit.module.tree;
    let at = tree.range(statement).start;
    match guard(unit, statement, at) {
        Guard::Typing => Need::Typing,
        Guard::Function if is_caught(unit, statement, &catches_failed_import) => Need::Caught,
        Guard::Function => Need::Function,
        Guard::Caught => Need::Caught,
        Guard::Branch if is_checked(unit, statement) => Need::Checked,
        Guard::Branch => Need::Branch,
        Guard::Nothing => {
            let need = unit.modules.need(package.name());
            let starts = need.is_some_and(|need| need.chain.last() == Some(&(unit.index, at)));
            if starts && unit.fragment.is_none() {
                Need::Start
            } else {
                Need::Needed
            }
        }
    }
}

/// What stands between the loading of the module and an import.
fn guard(unit: &PythonUnit<'_>, statement: NodeId, at: usize) -> Guard {
    let outline = unit.modules.outline(unit.index);
    let outline = outline.filter(|_| unit.fragment.is_none());
    let known = outline.and_then(|outline| {
        let mut all = outline.imports.iter().chain(&outline.stars);
        all.find(|one| one.at == at).map(|one| one.guard)
    });
    // The outline has no imports that share their line with another statement.
    known.unwrap_or_else(|| {
        let tree = &unit.module.tree;
        let around = tree.ancestors(statement).map(|up| match tree.kind(up) {
            Kind::Function | Kind::Lambda => Guard::Function,
            Kind::If | Kind::Try => Guard::Branch,
            _ => Guard::Nothing,
        });
        around.max().unwrap_or_default()
    })
}

/// Whether a condition around a statement asks for a package by its name: `HAS_X`, `is_x_available()`.
fn is_checked(unit: &PythonUnit<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    let words = &Table::builtin().presence;
    let says =
        |node: NodeId| tree.kind(node) == Kind::Identifier && has_part(words, tree.word(node));
    let around = tree.ancestors(statement);
    let mut conditions = around.filter_map(|up| tree.child(up, Field::Condition));
    conditions.any(|condition| says(condition) || tree.below(condition).any(says))
}
