//! In the portable dialect: a device of `PyTorch`'s held against a name that has CUDA's as a text. On MUSA the
//! device is MUSA's, and the text still is CUDA's.

use super::devices::{ONLY_CUDA_PASSES, names_device};
use super::inference::options::has;
use super::inference::{StringRole, expression_role};
use super::{ModuleView, PythonUnit};
use crate::diagnostic::Code;
use crate::mapping::ValueKind;
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Field, Kind, Literal, NodeId, What};

/// Devices held against names.
pub struct DeviceComparisons;

/// How many values of a name are looked at.
const REACH: usize = 64;

impl Rule<PythonUnit<'_>> for DeviceComparisons {
    fn name(&self) -> &'static str {
        "python-compared"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        if unit.is_musa() {
            return;
        }
        for node in tree.of(Kind::Comparison) {
            if !tree.is_broken(node) {
                settle(unit, out, node);
            }
        }
    }
}

fn settle(unit: &PythonUnit<'_>, out: &mut Outcome, comparison: NodeId) {
    let tree = &unit.module.tree;
    let parts: Vec<NodeId> = tree.children(comparison).take(4).collect();
    let [left, operator, right] = *parts.as_slice() else {
        return;
    };
    if !matches!(tree.word(operator), b"==" | b"!=") {
        return;
    }
    for (device, name) in [(left, right), (right, left)] {
        if tree.kind(name) != Kind::Identifier || !is_type_of_device(unit, device) {
            continue;
        }
        let cuda = values(unit, name)
            .into_iter()
            .find_map(|value| as_device(unit, value));
        if let Some((cuda, musa)) = cuda {
            let shown = unit.shown(tree.range(name));
            let message =
                format!("`{shown}` may be \"{cuda}\", which a device of MUSA's is not equal to");
            let finding = unit.finding(ONLY_CUDA_PASSES, tree.range(comparison), message);
            out.findings.push(finding.help(format!(
                "compare with `torch.device({shown}).type`, which is \"{musa}\" on MUSA"
            )));
        }
    }
}

/// `x.device.type`
fn is_type_of_device(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    tree.kind(node) == Kind::Attribute
        && unit.module.last_name(node) == b"type"
        && tree.child(node, Field::Object).is_some_and(|object| {
            expression_role(unit, object) == StringRole::Known(ValueKind::Device)
        })
}

/// The device that a text names, and its counterpart.
fn as_device<'u>(unit: &ModuleView<'u>, node: NodeId) -> Option<(&'u str, &'u str)> {
    let literal = Literal::read(&unit.module.tree, node)?;
    let mut devices = unit.context.knowledge.devices.iter();
    devices
        .find(|one| names_device(&literal, &one.cuda))
        .map(|one| (one.cuda.as_str(), one.to.as_str()))
}

/// What is written for a name: what is bound to it, its default, the items of the loop, the cases of the test.
fn values(unit: &ModuleView<'_>, name: NodeId) -> Vec<NodeId> {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let mut found = Vec::new();
    for binding in unit.module.bindings(name, word).1.iter().take(REACH) {
        match binding.what {
            What::Value(value) => found.push(value),
            What::Parameter => {
                let parent = tree.parent(binding.at);
                found.extend(parent.and_then(|one| tree.child(one, Field::Value)));
                found.extend(cases(unit, binding.at, word));
            }
            What::Unknown => {
                let up = tree.parent(binding.at);
                let of = up.filter(|&up| matches!(tree.kind(up), Kind::For | Kind::ForIn));
                let list = of.and_then(|of| tree.child(of, Field::Right));
                found.extend(list.into_iter().flat_map(|list| tree.children(list)));
            }
            _ => {}
        }
    }
    found.truncate(REACH);
    found
}

/// The values that a test is run with.
fn cases(unit: &ModuleView<'_>, parameter: NodeId, word: &[u8]) -> Vec<NodeId> {
    let tree = &unit.module.tree;
    let words = &unit.python_values().words_of_calls;
    let decorated = tree
        .ancestors(parameter)
        .find(|&one| tree.kind(one) == Kind::Function)
        .and_then(|function| tree.parent(function))
        .filter(|&up| tree.kind(up) == Kind::Decorated);
    let decorators = decorated.into_iter().flat_map(|up| tree.children(up));
    let mut found = Vec::new();
    for decorator in decorators.filter(|&one| tree.kind(one) == Kind::Decorator) {
        let Some(call) = tree.nth(decorator, 0) else {
            continue;
        };
        let arguments = tree
            .child(call, Field::Arguments)
            .filter(|_| has(&words.runs, unit.module.callee_word(call)));
        let Some(arguments) = arguments else { continue };
        let names = tree
            .nth(arguments, 0)
            .and_then(|names| Literal::read(tree, names));
        let Some(names) = names else { continue };
        let names = names.value().split(|&byte| byte == b',');
        let names: Vec<&[u8]> = names.map(<[u8]>::trim_ascii).collect();
        let Some(at) = names.iter().position(|&name| name == word) else {
            continue;
        };
        let list = tree.nth(arguments, 1);
        for item in list
            .into_iter()
            .flat_map(|list| tree.children(list))
            .take(REACH)
        {
            // `pytest.param("cuda", marks=…)`
            let item = match tree.kind(item) {
                Kind::Call => tree.child(item, Field::Arguments).unwrap_or(item),
                _ => item,
            };
            let plain = matches!(tree.kind(item), Kind::Str | Kind::ConcatenatedString);
            found.extend(if plain {
                Some(item)
            } else {
                tree.nth(item, at)
            });
        }
    }
    found
}
