//! Texts that a list gets under the questions for the devices that they name: `if torch.cuda.is_available():
//! found.append("cuda")`.

use crate::mapping::PlatformReport;
use crate::rules::python::ModuleView;
use crate::syntax::python::{Field, Kind, Literal, NodeId, Use};

/// How many nodes of a condition, and how many statements, are looked at.
const NODES: usize = 256;

/// Whether a list gets a text under the question for the device of this name, and other devices under theirs, in other
/// statements of the block: `if torch.xpu.is_available(): found.append("xpu")`.
pub(super) fn picks_each(view: &ModuleView<'_>, of: &Use, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    let branch = tree.parent(call).and_then(|statement| {
        let block = tree.parent(statement)?;
        tree.parent(block).filter(|&up| tree.kind(up) == Kind::If)
    });
    let Some(branch) = branch.filter(|&branch| asks_for_own(view, branch, call)) else {
        return false;
    };
    let gets_another = |other: NodeId| {
        let body = tree.child(other, Field::Consequence);
        let calls = body.into_iter().flat_map(|body| tree.children(body));
        let mut calls = calls.filter_map(|statement| tree.nth(statement, 0));
        calls.any(|one| {
            tree.kind(one) == Kind::Call
                && tree
                    .child(one, Field::Function)
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
    let questions = values.platforms.iter();
    let mut questions = questions
        .filter(|one| one.report == PlatformReport::BesideOthers)
        .filter_map(|one| one.name.strip_prefix(values.module.cuda.as_str()));
    let inside = std::iter::once(condition).chain(tree.below(condition).take(NODES));
    let asked: Vec<String> = inside
        .filter(|&one| tree.kind(one) == Kind::Attribute)
        .filter_map(|one| Some(view.module.resolve(one)?.name))
        .collect();
    questions.any(|question| {
        let end = format!(".{name}{question}");
        let root = &values.torch_names.root;
        let is_torchs = |one: &String| one.starts_with(root.as_str()) && one.ends_with(&end);
        asked.iter().any(is_torchs)
    })
}
