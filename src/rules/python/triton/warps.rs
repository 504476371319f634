//! Numbers of warps in a block, and of threads in a warp.

use crate::Outcome;
use crate::python::PythonUnit;
use torchada_diagnostic::codes::python::{WARP_SIZE, WARPS};
use torchada_mapping::python::triton::Triton as Table;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Report a number of warps that is too large for a block on one of MUSA's GPUs.
pub(super) fn check_count(unit: &PythonUnit<'_>, out: &mut Outcome, most: u32, range: TextRange) {
    let table = Table::builtin();
    let targets = unit.context.tables.targets();
    let block = table.threads.block;
    let widest = targets.iter().filter_map(|one| one.warp_size).max();
    let limit = block / widest.unwrap_or(table.warp.threads).max(1);
    if most <= limit {
        return;
    }
    let too_wide = |size: u32| size.saturating_mul(most) > block;
    let wide: Vec<&str> = targets
        .iter()
        .filter(|one| one.warp_size.is_some_and(too_wide))
        .map(|one| &*one.name)
        .collect();
    let message = format!(
        "{most} warps are more than the {block} threads of a block hold on {}",
        wide.join(", ")
    );
    let help = format!(
        "a warp has {} threads there: use at most {limit} warps, or choose by the target's warp size",
        widest.unwrap_or_default()
    );
    unit.report(out, WARPS, range, message, help);
}

/// Report a constant for the size of CUDA's warps: `WARP_SIZE = 32`, `def f(warp_size=32)`.
pub(super) fn check_constant(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let parts = match tree.kind(node) {
        Kind::Assignment => tree
            .child(node, Field::Left)
            .zip(tree.child(node, Field::Right)),
        _ => tree.name_and_value(node),
    };
    let Some((name, mut value)) = parts else {
        return;
    };
    // `tl.constexpr(32)`
    if tree.kind(value) == Kind::Call
        && let Some(first) = tree.argument(value, 0)
    {
        value = first;
    }
    let warp = &table.warp;
    if tree.kind(value) != Kind::Integer || tree.word(value) != warp.threads.to_string().as_bytes()
    {
        return;
    }
    let word = unit.module.last_name(name);
    let word = String::from_utf8_lossy(&word).to_ascii_lowercase();
    if warp
        .names
        .words()
        .iter()
        .any(|one| one == word.trim_matches('_'))
    {
        let range = tree.range(node);
        let message = format!("`{}` is true of CUDA's warps", unit.shown(range));
        unit.report(out, WARP_SIZE, range, message, warp.advice.clone());
    }
}
