//! The gate by which a program finds its device: where NVIDIA's library for management decides it, MUSA has no device.

use crate::Outcome;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::NEEDS_NVML;
use torchada_mapping::has;
use torchada_mapping::python::gpus::Gpus;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::first_part;

/// How many nodes of a function are looked at.
const NODES: usize = 4096;

/// Report functions that answer for CUDA's platform by what NVML says.
pub(super) fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let words = &Gpus::builtin().start;
    let speaks = words.opens.iter().any(|word| unit.contains(word));
    if !speaks {
        return;
    }
    let tree = &unit.module.tree;
    for function in tree.of(Kind::Function) {
        let Some(name) = tree.child(function, Field::Name) else {
            continue;
        };
        if let Some(call) = gate(unit, function) {
            let range = tree.range(call);
            let message = format!(
                "`{}` decides by NVML whether CUDA's platform is there: MUSA has no NVML, and the program finds no \
                 device",
                tree.shown(name)
            );
            let mut finding = unit.finding(NEEDS_NVML, range, message);
            finding.at_start = true;
            out.report(finding.help(words.advice.clone()));
        }
    }
}

/// The call that opens NVML in a function that answers for CUDA's platform, and asks nothing else for it.
fn gate(unit: &ModuleView<'_>, function: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let words = &Gpus::builtin().start;
    let body = tree.child(function, Field::Body)?;
    let inside = || tree.below(body).take(NODES);
    let calls = || inside().filter(|&one| tree.kind(one) == Kind::Call);
    let opens = |&call: &NodeId| {
        let replaced = unit.module.callee_name(call);
        let is_replaced = replaced.is_some_and(|name| first_part(&name.name) == words.module);
        has(&words.opens, unit.module.callee_word(call)) && !is_replaced
    };
    let first = calls().find(opens)?;
    let asks_torch = calls().any(|call| {
        unit.callee_name(call)
            .is_some_and(|name| name.name.starts_with(&unit.python_values().module.cuda))
    });
    (answers_for_cuda(unit, function, body) && !asks_torch).then_some(first)
}

/// Whether a function gives back a platform of CUDA's: its class, its name, or that it is there.
fn answers_for_cuda(unit: &ModuleView<'_>, function: NodeId, body: NodeId) -> bool {
    let tree = &unit.module.tree;
    let own = &unit.python_values().vendors.own;
    let objects = &unit.python_values().vendors.objects;
    let words = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).to_ascii_lowercase();
        let parts = text.split(|one: char| !one.is_ascii_alphanumeric());
        parts.map(str::to_owned).collect::<Vec<String>>()
    };
    let mentions = |list: &[String], text: &[u8]| {
        let mut words = words(text).into_iter();
        words.any(|word| list.contains(&word))
    };
    let name = tree
        .child(function, Field::Name)
        .map(|name| tree.word(name));
    let named = name.is_some_and(|name| mentions(own, name) && mentions(objects, name));
    let gives_class = || {
        let mut texts = tree.below(body).take(NODES).filter(|&one| {
            let mut above = tree.ancestors(one);
            tree.kind(one) == Kind::Str && above.any(|up| tree.kind(up) == Kind::Return)
        });
        texts.any(|text| {
            Literal::read(tree, text)
                .is_some_and(|text| mentions(own, text.value()) && text.value().contains(&b'.'))
        })
    };
    named || gives_class()
}
