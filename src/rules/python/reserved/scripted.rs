//! Functions that `TorchScript` compiles: their names stay, because `TorchScript` knows CUDA's and none of MUSA's. The texts in
//! them that name devices change: `x.device.type` is MUSA's there, too.

use super::code::{ReserveTrigger, Reserved};
use super::script_functions::{ScriptEvidence, calls, functions};
use crate::python::leaving::leaves;
use crate::python::truth::truth;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::SCRIPTED;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// How far a condition is followed through the names that it is made of.
const CONDITION_STEPS: usize = 8;

/// The functions that `TorchScript` compiles, without what it leaves out of them.
pub fn reserved(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let functions = functions(unit).into_iter();
    let reserved = functions.map(|(function, how)| {
        let name = tree.child(function, Field::Name).unwrap_or(function);
        let message = format!(
            "`{}` keeps CUDA's names: TorchScript compiles it",
            tree.shown(name)
        );
        let finding = unit.finding(SCRIPTED, tree.range(name), message);
        Reserved {
            when: ReserveTrigger::IfEdited,
            without: changing_ranges(unit, function, how),
            finding: Some(finding.help(known.advice.clone())),
            ..Reserved::silent(tree.range(function), KeptReason::Scripted)
        }
    });
    reserved.collect()
}

/// What changes in a function that `TorchScript` compiles: the arms for Python alone, the texts, and what is asked of CUDA's
/// module where Python runs the code as well.
fn changing_ranges(unit: &ModuleView<'_>, function: NodeId, how: ScriptEvidence) -> Vec<TextRange> {
    let tree = &unit.module.tree;
    let arms = arms(unit, function);
    let mut found = arms.pythons;
    let is_scripts = |node: NodeId| {
        let mut scripts = arms.scripts.iter();
        scripts.any(|arm| arm.covers(tree.range(node)))
    };
    let cuda = &unit.python_values().module.cuda;
    let of_module = |node: NodeId| {
        let name = unit.module.resolve(node);
        name.is_some_and(|name| name.name.starts_with(cuda.as_str()))
    };
    for node in tree.below(function) {
        let changes = match tree.kind(node) {
            Kind::StringContent => true,
            Kind::Attribute => how == ScriptEvidence::Asks && !is_scripts(node) && of_module(node),
            _ => false,
        };
        if changes {
            found.push(tree.range(node));
        }
    }
    found
}

/// The arms of a function that only one of the two takes.
#[derive(Default)]
struct Arms {
    /// What only Python runs: `TorchScript` leaves it out.
    pythons: Vec<TextRange>,
    /// What only `TorchScript` runs.
    scripts: Vec<TextRange>,
}

fn arms(unit: &ModuleView<'_>, function: NodeId) -> Arms {
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let holds = |condition: NodeId| {
        truth(unit, condition, CONDITION_STEPS, &|leaf, _| {
            (tree.kind(leaf) == Kind::Call && calls(unit, leaf, &known.asks)).then_some(true)
        })
    };
    let mut found = Arms::default();
    let branches = tree.below(function);
    for first in branches.filter(|&node| tree.kind(node) == Kind::If) {
        let arms = tree.later_arms(first);
        let mut is_taken = false;
        for arm in std::iter::once(first).chain(arms) {
            let body = tree.child(arm, Field::Consequence);
            match tree.child(arm, Field::Condition).map(&holds) {
                _ if is_taken => found.pythons.push(tree.range(arm)),
                Some(Some(true)) => {
                    is_taken = true;
                    if tests_scripting_alone(unit, arm) {
                        found.scripts.extend(body.map(|body| tree.range(body)));
                    }
                    let is_left = arm == first && leaves(unit, arm);
                    if let Some(block) = tree.parent(first).filter(|_| is_left) {
                        let rest = TextRange::new(tree.range(first).end, tree.range(block).end);
                        found.pythons.push(rest);
                    }
                }
                Some(Some(false)) => found.pythons.extend(body.map(|body| tree.range(body))),
                _ => {}
            }
        }
    }
    found
}

/// Whether the condition of an arm is nothing but the question whether `TorchScript` runs the code.
fn tests_scripting_alone(unit: &ModuleView<'_>, arm: NodeId) -> bool {
    let tree = &unit.module.tree;
    let condition = tree.child(arm, Field::Condition);
    condition.is_some_and(|condition| tree.kind(condition) == Kind::Call)
}
