//! Functions that `TorchScript` compiles: they stay, because `TorchScript` knows CUDA's names and none of MUSA's.

use super::reserved_code::{Reserved, When};
use super::{ModuleView, PythonUnit};
use torchada_diagnostic::{Code, KeptReason, Severity};
use torchada_syntax::python::{Field, Kind, NodeId};

/// A function that `TorchScript` compiles keeps CUDA's names.
pub const SCRIPTED: Code = Code {
    id: "PY065",
    severity: Severity::Note,
    title: "a function that TorchScript compiles keeps CUDA's names",
};

/// The functions that `TorchScript` compiles.
pub fn reserved(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    if !unit.contains("jit") {
        return Vec::new();
    }
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let functions = functions(unit).into_iter();
    let reserved = functions.map(|function| {
        let name = tree.child(function, Field::Name).unwrap_or(function);
        let message = format!(
            "`{}` keeps CUDA's names: TorchScript compiles it",
            unit.shown(tree.range(name))
        );
        let finding = unit.finding(SCRIPTED, tree.range(name), message);
        Reserved {
            when: When::IfEdited,
            finding: Some(finding.help(known.advice.clone())),
            ..Reserved::silent(tree.range(function), KeptReason::Scripted)
        }
    });
    reserved.collect()
}

/// The functions of a module that `TorchScript` compiles, as far as the module shows that.
fn functions(unit: &ModuleView<'_>) -> Vec<NodeId> {
    let known = &unit.python_values().torchscript;
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    let mut compiled: Vec<&[u8]> = Vec::new();
    for node in tree.nodes() {
        match tree.kind(node) {
            Kind::Decorated => {
                let compiles = tree
                    .children(node)
                    .filter(|&one| tree.kind(one) == Kind::Decorator)
                    .filter_map(|decorator| tree.nth(decorator, 0))
                    .filter_map(|name| unit.module.resolve(name))
                    .any(|name| known.decorators.contains(&name.name));
                let function = tree
                    .children(node)
                    .find(|&one| tree.kind(one) == Kind::Function);
                found.extend(function.filter(|_| compiles));
            }
            Kind::Call => {
                let callee = unit.module.callee_word(node);
                let may =
                    |name: &String| name.rsplit('.').next().map(str::as_bytes) == Some(callee);
                if known.functions.iter().any(may)
                    && unit
                        .module
                        .callee(node)
                        .is_some_and(|name| known.functions.contains(&name.name))
                {
                    let argument = tree.argument(node, 0);
                    compiled.extend(
                        argument
                            .filter(|&one| tree.kind(one) == Kind::Identifier)
                            .map(|one| tree.word(one)),
                    );
                }
            }
            _ => {}
        }
    }
    if !compiled.is_empty() {
        let named = tree.nodes().filter(|&node| {
            tree.kind(node) == Kind::Function
                && tree
                    .child(node, Field::Name)
                    .is_some_and(|name| compiled.contains(&tree.word(name)))
        });
        found.extend(named);
    }
    found
}
