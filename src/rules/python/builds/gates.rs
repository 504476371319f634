//! `if torch.cuda.is_available():` around an extension. A machine that builds need not have a GPU, so the condition
//! becomes true where the variable `FORCE_MUSA` is set, too.

use super::extensions::is_builder;
use super::lines::insertion_behind;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_mapping::{Section, has};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Questions for a GPU that decide what is built.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.builds.extensions.gates;
    if !super::names_builders(unit) {
        return;
    }
    // A build that can be forced has its variable translated.
    if known.variables.iter().any(|one| unit.contains(one)) {
        return;
    }
    let tree = &unit.module.tree;
    for call in tree.of(Kind::Call) {
        if unit.asks_for_gpu(call) && !tree.is_broken(call) && opens_build(unit, call) {
            force(unit, out, call);
        }
    }
}

/// Whether the answer of a call decides whether an extension is built, where the port makes the builder MUSA's. A call
/// that still asked for CUDA would leave the extension out on every machine that the port is for.
pub fn picks_builder(unit: &ModuleView<'_>, call: NodeId) -> bool {
    unit.is_musa() && super::names_builders(unit) && opens_build(unit, call)
}

/// Whether a variable forces a build for CUDA in a module that has a build for MUSA, forced by a variable of its own.
pub fn forces_other_build(unit: &ModuleView<'_>, variable: &str) -> bool {
    let forces = &unit.context.knowledge.builds.extensions.gates.variables;
    let row = unit.context.row(Section::Environment, variable.as_bytes());
    let to = row.and_then(|row| row.to.as_deref());
    has(forces, variable) && to.is_some_and(|to| unit.contains(to))
}

/// Whether the answer of a question decides whether an extension is built: in the condition around the question, or in one
/// around a name that is set to the answer.
pub fn opens_build(unit: &ModuleView<'_>, question: NodeId) -> bool {
    let tree = &unit.module.tree;
    let top = whole_condition(unit, question);
    if decides(unit, top) {
        return true;
    }
    let Some(up) = tree.parent(top) else {
        return false;
    };
    let target = tree
        .child(up, Field::Left)
        .filter(|&left| tree.kind(up) == Kind::Assignment && tree.kind(left) == Kind::Identifier);
    let Some(target) = target else { return false };
    let word = tree.word(target);
    tree.nodes()
        .filter(|&node| node != target && tree.kind(node) == Kind::Identifier)
        .any(|node| tree.word(node) == word && decides(unit, whole_condition(unit, node)))
}

/// The condition that an expression is a part of, by itself or compared with None: `torch.version.cuda is not None`.
fn whole_condition(unit: &ModuleView<'_>, part: NodeId) -> NodeId {
    let tree = &unit.module.tree;
    let whole = tree.whole_condition(part);
    let comparison = tree.parent_if(whole, Kind::Comparison);
    let test = comparison.filter(|&one| tree.compares_with_none(one));
    test.map_or(whole, |test| tree.whole_condition(test))
}

/// Whether an extension stands where a condition decides.
fn decides(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    let decided = tree.decided_by(condition);
    let whole = decided.and_then(|one| match tree.kind(one) {
        Kind::Elif => tree.parent(one),
        Kind::While => None,
        _ => Some(one),
    });
    whole.is_some_and(|node| builds(unit, node))
}

/// Whether a stretch of code names a builder of extensions for CUDA.
fn builds(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions.builders;
    tree.below(node).any(|one| {
        matches!(tree.kind(one), Kind::Identifier | Kind::Attribute)
            && unit
                .resolve(one)
                .is_some_and(|found| is_builder(unit, &found.name) && known.contains(&found.name))
    })
}

/// `torch.musa.is_available() or os.getenv("FORCE_MUSA", "0") == "1"`
fn force(unit: &PythonUnit<'_>, out: &mut Outcome, call: NodeId) {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions.gates;
    let mut imports = tree
        .of_any(&[Kind::Import, Kind::ImportFrom])
        .filter(|&node| {
            let up = tree.parent(node);
            up.is_some_and(|up| tree.kind(up) == Kind::Module)
        });
    let is_there = unit
        .module
        .resolve_text(call, &known.module)
        .is_some_and(|found| found.name == known.module);
    let group = out.group();
    let edit = |out: &mut Outcome, range: TextRange, to: &str| {
        let change = Change::new(range, to);
        unit.change(out, change.group(group))
    };
    if !is_there {
        let Some(first) = imports.next() else { return };
        let (at, text) = insertion_behind(unit, first, &format!("import {}", known.module));
        edit(out, at, &text);
    }
    let range = tree.range(call);
    let up = tree.parent(call).map(|up| tree.kind(up));
    // Only `and` and `not` bind closer.
    let alone = !matches!(up, Some(Kind::Boolean | Kind::Not));
    let (open, close) = if alone { ("", "") } else { ("(", ")") };
    if !open.is_empty() {
        edit(out, TextRange::new(range.start, range.start), open);
    }
    let text = format!(" or {}{close}", known.asks);
    edit(out, TextRange::new(range.end, range.end), &text);
}
