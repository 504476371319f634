//! Texts that the code takes by the answers to questions for devices: `if torch.cuda.is_available(): found.append("cuda")`,
//! `"cuda" if torch.cuda.is_available() else "cpu"`.

use super::device_texts::is_cudas_device;
use crate::python::ModuleView;
use crate::python::inference::uses::places::places;
use torchada_mapping::has;
use torchada_syntax::python::{Binding, Consumer, Field, Kind, Literal, NodeId, ScopeId, Use};

/// How many nodes of a condition, and how many statements, are looked at.
const NODES: usize = 256;

/// Whether a list gets a text under the question for the device of this name, and other devices under theirs, in other
/// statements of the block: `if torch.xpu.is_available(): found.append("xpu")`.
pub fn picks_each(view: &ModuleView<'_>, of: &Use, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let Some(callee) = tree.callee(call) else {
        return false;
    };
    let branch = tree.parent(call).and_then(|statement| {
        let block = tree.parent(statement)?;
        tree.parent_if(block, Kind::If)
    });
    let Some(branch) = branch.filter(|&branch| asks_for_own(view, branch, call)) else {
        return false;
    };
    let gets_another = |other: NodeId| {
        let statements = tree.consequence(other);
        let mut calls = statements.filter_map(|statement| tree.nth(statement, 0));
        calls.any(|one| {
            tree.kind(one) == Kind::Call
                && tree
                    .callee(one)
                    .is_some_and(|other| tree.word(other) == tree.word(callee))
                && asks_for_own(view, other, one)
        })
    };
    let block = tree.parent(branch);
    let around = block.into_iter().flat_map(|block| tree.children(block));
    let mut others = around
        .take(NODES)
        .filter(|&one| one != branch && tree.kind(one) == Kind::If);
    of.choices().next().is_none() && others.any(gets_another)
}

/// Whether a branch asks for the device that is named by the first argument of a call: `torch.xpu.is_available()` for `"xpu"`.
fn asks_for_own(view: &ModuleView<'_>, branch: NodeId, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let values = view.python_values();
    let text = tree
        .argument(call, 0)
        .and_then(|one| Literal::read(tree, one));
    let name = text.filter(Literal::is_plain);
    let name = name
        .as_ref()
        .and_then(|one| std::str::from_utf8(one.value()).ok());
    let (Some(name), Some(condition)) = (name, tree.child(branch, Field::Condition)) else {
        return false;
    };
    let mut questions = values
        .gpu_questions()
        .filter_map(|one| one.name.strip_prefix(values.module.cuda.as_str()));
    let inside = tree.with_below(condition).take(NODES);
    let names: Vec<String> = inside
        .filter(|&one| tree.kind(one) == Kind::Attribute)
        .filter_map(|one| Some(view.module.resolve(one)?.name))
        .collect();
    questions.any(|question| {
        let end = format!(".{name}{question}");
        let root = &values.torch_names.root;
        let is_torchs = |one: &String| one.starts_with(root.as_str()) && one.ends_with(&end);
        names.iter().any(is_torchs)
    })
}

/// How many ancestors of a text are searched for the question.
const UP: usize = 16;

/// Whether an answer picks a text, and picks the host otherwise: `"cuda" if torch.cuda.is_available() else "cpu"`.
pub fn picked(view: &ModuleView<'_>, of: &Use, text: NodeId) -> bool {
    let tree = &view.module.tree;
    let host = |node: NodeId| {
        let hosts = &view.python_values().vendors.host;
        Literal::read(tree, node).is_some_and(|one| has(hosts, one.value()))
    };
    let asks = |condition: NodeId| {
        let inside = tree.with_below(condition).take(NODES);
        let mut calls = inside.filter(|&one| tree.kind(one) == Kind::Call);
        calls.any(|call| view.asks_for_gpu(call))
    };
    let mut at = text;
    for up in tree.ancestors(text).take(UP) {
        match tree.kind(up) {
            Kind::Conditional if tree.ordinal(at) != 1 => {
                let condition = tree.nth(up, 1);
                return condition.is_some_and(asks) && tree.children(up).any(host);
            }
            // Keys of a table that stand beside each other are none that are picked: `states["cpu"]`, `states["cuda"]`.
            Kind::If | Kind::Elif if matches!(of.consumer, Consumer::Item { .. }) => return false,
            Kind::If | Kind::Elif if tree.field(at) == Field::Consequence => {
                let condition = tree.child(up, Field::Condition);
                let is_alternative = || {
                    let others = view.module.sibling_literals(of);
                    others.iter().any(|one| host(one.node))
                };
                return condition.is_some_and(asks) && is_alternative();
            }
            Kind::Function | Kind::Class | Kind::Lambda => return false,
            _ => at = up,
        }
    }
    false
}

/// Whether an answer picks the device that a variable is set to.
pub fn picks_value(view: &ModuleView<'_>, scope: ScopeId, word: &[u8]) -> bool {
    let values = view.module.bindings_in(scope, word).iter();
    picks_one_of(view, values.filter_map(Binding::value))
}

/// Whether an answer picks the device that an attribute is set to in a module: `self.kind = "cuda" if … else "cpu"`.
pub fn picks_attribute(view: &ModuleView<'_>, word: &[u8]) -> bool {
    let tree = &view.module.tree;
    let names = places(view, word).iter();
    let values = names.filter_map(|&name| tree.assigned_value(tree.attribute_of(name)?));
    picks_one_of(view, values)
}

/// Whether an answer picks the device that a function gives back.
pub fn picks_returned(view: &ModuleView<'_>, function: NodeId) -> bool {
    let tree = &view.module.tree;
    let inside = tree.below(function).take(NODES);
    let returns = inside.filter(|&one| tree.kind(one) == Kind::Return);
    picks_one_of(view, returns.filter_map(|one| tree.nth(one, 0)))
}

/// Whether an answer picks one of some values, or of their sides, and it names CUDA's device.
fn picks_one_of(view: &ModuleView<'_>, values: impl Iterator<Item = NodeId>) -> bool {
    let tree = &view.module.tree;
    let sides = values.flat_map(|value| {
        let is_choice = tree.kind(value) == Kind::Conditional;
        let sides = tree.children(value).filter(move |_| is_choice);
        std::iter::once(value).chain(sides)
    });
    let mut devices = sides.filter(|&side| is_cudas_device(view, side));
    devices.any(|side| picked(view, &view.module.use_of(side), side))
}
