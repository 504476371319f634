//! Names that a module gives to devices: `if accelerator == "cuda": self.device = torch.device("cuda", rank)`.

use super::device_texts::names_cudas_device;
use crate::python::ModuleView;
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId};

/// How many nodes of a branch are looked at.
const NODES: usize = 256;

/// Whether a module gives a name to devices.
pub(super) fn is_own_name_of_device(view: &ModuleView<'_>, name: &[u8]) -> bool {
    let ask = || own_names_of_devices(view);
    let names = view.memo.names_of_devices(view.place(()), ask);
    names.iter().any(|one| **one == *name)
}

/// The names that are compared with CUDA's device where the branch takes that device of `PyTorch`'s, beside a branch for the
/// host.
fn own_names_of_devices(view: &ModuleView<'_>) -> Vec<Box<[u8]>> {
    let tree = &view.module.tree;
    let devices = &view.context.knowledge.devices;
    let words: Vec<&str> = devices.iter().map(|one| one.cuda.as_str()).collect();
    let hosts = &view.python_values().vendors.host;
    let mut found = Vec::new();
    for text in view.literals(&words) {
        let of = view.module.use_of(text.node);
        let Consumer::Comparison {
            at,
            other,
            operator,
            ..
        } = of.consumer
        else {
            continue;
        };
        let is_name = matches!(tree.kind(other), Kind::Identifier | Kind::Attribute);
        let is_whole = of.steps.is_empty() && tree.word(operator) == b"==";
        let branch = tree.parent(at).filter(|&up| {
            matches!(tree.kind(up), Kind::If | Kind::Elif) && tree.field(at) == Field::Condition
        });
        let body = branch.and_then(|branch| tree.child(branch, Field::Consequence));
        let is_host = |one: &Literal| has(hosts, one.value());
        if is_name
            && is_whole
            && names_cudas_device(view, &text)
            && body.is_some_and(|body| takes_device(view, body))
            && view.module.sibling_literals(&of).iter().any(is_host)
        {
            found.push(view.module.last_name(other).into());
        }
    }
    found
}

/// Whether code makes CUDA's device, or calls what `PyTorch`'s module for CUDA has.
fn takes_device(view: &ModuleView<'_>, body: NodeId) -> bool {
    let tree = &view.module.tree;
    let values = view.python_values();
    let front = format!("{}.", values.module.cuda);
    let mut inside = tree.below(body).take(NODES);
    inside.any(|one| {
        let callee = Some(one).filter(|&one| tree.kind(one) == Kind::Call);
        let Some(callee) = callee.and_then(|call| view.callee_name(call)) else {
            return false;
        };
        let text = || {
            let first = tree.argument(one, 0)?;
            Literal::read(tree, first)
        };
        callee.name.starts_with(&front)
            || values.result(&callee.name) == Some(ValueKind::Device)
                && text().is_some_and(|text| names_cudas_device(view, &text))
    })
}
