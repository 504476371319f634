//! Names of NVIDIA's backend, in imports and in expressions.

use crate::python::PythonUnit;
use crate::python::torch::attribute_access::is_inner;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::BACKEND_NAME;
use torchada_mapping::python::triton::{Triton as Table, TritonName};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Report a name in an expression, once for a whole chain: `tl.extra.cuda.libdevice.rsqrt`, `tl.inline_asm_elementwise`.
pub(super) fn check_use(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    if is_inner(unit, node) {
        return;
    }
    // A name of the project's own has no import behind it.
    let Some((root, _)) = unit.chain(node) else {
        return;
    };
    let Some(name) = unit.module.resolve(node) else {
        return;
    };
    if !name.name.starts_with(table.word.as_str()) {
        return;
    }
    let Some(row) = table.holding(&name.name) else {
        return;
    };
    // A name that is imported by itself is reported at the import.
    if root == node && row.name != name.name {
        return;
    }
    let whole = tree.shown(node);
    if row.moved().is_some_and(|(old, _)| !whole.contains(old)) {
        return;
    }
    report(unit, out, tree.range(node), &name.name, row);
    rename(unit, out, node, row);
}

/// Report the names in `import triton.language.extra.cuda.libdevice as ld`.
pub(super) fn check_import(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    for path in tree.imported_names(node) {
        let shown = tree.shown(path);
        if let Some(row) = table.holding(&shown) {
            report(unit, out, tree.range(path), &shown, row);
            rename(unit, out, path, row);
        }
    }
}

/// Report the names in `from triton.language.extra.cuda import libdevice`.
pub(super) fn check_import_from(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let table = Table::builtin();
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = tree.shown(module);
    if !path.starts_with(table.word.as_str()) {
        return;
    }
    let names: Vec<NodeId> = tree.imported_names(node).collect();
    let mut all_move = !names.is_empty();
    let mut moved = None;
    for word in names {
        let full = format!("{path}.{}", tree.shown(word));
        match table.holding(&full) {
            Some(row) => {
                report(unit, out, tree.range(word), &full, row);
                all_move &= row.to.is_some();
                moved = Some(row);
            }
            None => all_move = false,
        }
    }
    if let Some(row) = moved.filter(|_| all_move) {
        rename(unit, out, module, row);
    }
}

/// Rename the part `cuda` of a dotted name, if the counterpart has another name in that part only.
fn rename(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, row: &TritonName) {
    let Some((old, new)) = row.moved().filter(|_| unit.is_musa()) else {
        return;
    };
    let tree = &unit.module.tree;
    let place = tree
        .with_below(node)
        .find(|&one| tree.kind(one) == Kind::Identifier && tree.word(one) == old.as_bytes());
    if let Some(place) = place {
        unit.change(
            out,
            Change::new(tree.range(place), new).evidence(row.evidence),
        );
    }
}

fn report(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    name: &str,
    row: &TritonName,
) {
    let message = match row.to.as_deref() {
        Some(to) => format!("`{name}` is made for NVIDIA's GPUs; MUSA's backend has `{to}`"),
        None => format!("`{name}` is made for NVIDIA's GPUs"),
    };
    unit.report(out, BACKEND_NAME, range, message, row.advice.clone());
}
