//! Options of launches and configurations.

use super::{REACH, warps};
use crate::Outcome;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::OPTION;
use torchada_mapping::has;
use torchada_mapping::python::triton::Triton as Table;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// How many ancestors of a value are searched for the call around it.
const UP: usize = 4;

/// Report an option that is a keyword: `num_warps=16`, `num_ctas=2`.
pub(super) fn check_keyword(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let Some((name, value)) = tree.name_and_value(node) else {
        return;
    };
    check_option(unit, out, tree.word(name), value, tree.range(node));
}

/// Report an option that is an entry of a dictionary: `{"num_warps": 16}`.
pub(super) fn check_entry(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let (Some(key), Some(value)) = (tree.child(node, Field::Key), tree.child(node, Field::Value))
    else {
        return;
    };
    if tree.kind(key) == Kind::Str {
        let name = unit.module.last_name(key);
        check_option(unit, out, &name, value, tree.range(node));
    }
}

/// Report an option that MUSA's GPUs can't serve, or that is for NVIDIA's.
fn check_option(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    name: &[u8],
    value: NodeId,
    range: TextRange,
) {
    let table = Table::builtin();
    let options = &table.options;
    let most = || numbers(unit, value).into_iter().max().unwrap_or(0);
    let (message, advice) = if name == options.warps.as_bytes() {
        warps::check_count(unit, out, most(), range);
        return;
    } else if name == options.clusters.as_bytes() {
        if most() <= 1 {
            return;
        }
        let message = "MUSA has no clusters of blocks".to_owned();
        (message, &options.advice_clusters)
    } else if has(&options.nvidia, name) && is_in_launch(unit, value) {
        let shown = String::from_utf8_lossy(name);
        let message = format!("`{shown}` is an option for NVIDIA's GPUs");
        (message, &options.advice_nvidia)
    } else {
        return;
    };
    unit.report(out, OPTION, range, message, advice.clone());
}

/// The numbers that an expression may be: `8 if wide else 16`.
fn numbers(unit: &ModuleView<'_>, value: NodeId) -> Vec<u32> {
    let tree = &unit.module.tree;
    let all = tree.with_below(value).take(REACH);
    let choice = |one: &NodeId| {
        tree.kind(*one) == Kind::Integer
            && (*one == value
                || tree.parent(*one).is_some_and(|up| {
                    tree.kind(up) == Kind::Conditional && tree.ordinal(*one) != 1
                }))
    };
    all.filter(choice)
        .filter_map(|one| std::str::from_utf8(tree.word(one)).ok()?.parse().ok())
        .collect()
}

/// Whether a value is an argument of a launch (`kernel[grid](…)`) or of a configuration.
fn is_in_launch(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let call = tree
        .ancestors(value)
        .take(UP)
        .find(|&up| tree.kind(up) == Kind::Call);
    let Some(call) = call else { return false };
    let callee = tree.callee(call);
    callee.is_some_and(|callee| {
        tree.kind(callee) == Kind::Subscript
            || unit.module.callee_word(call) == table.options.configuration.as_bytes()
    })
}
