//! Fields of a device's properties.

use super::review::Review;
use crate::Outcome;
use torchada_diagnostic::codes::python::{ADDED_FIELD, NO_FIELD};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_mapping::{Relation, Section, has};
use torchada_syntax::python::{Field, Literal, NodeId};
use torchada_text::last_part;

/// Report a field in `properties.field`.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    if !review.may_give(GpuValueKind::Properties) {
        return;
    }
    let tree = &review.unit.module.tree;
    let Some((object, member)) = tree.object_and_name(node) else {
        return;
    };
    let name = tree.shown(member);
    report(review, out, object, member, &name);
}

/// Report a field in `getattr(properties, "field")`.
pub(super) fn check_getattr(review: &Review<'_>, out: &mut Outcome, call: NodeId) {
    let module = review.unit.module;
    let tree = &module.tree;
    let parts = || {
        let callee = tree.callee(call)?;
        let asks = module.is_builtin(callee, "getattr") || module.is_builtin(callee, "hasattr");
        let arguments = asks.then(|| tree.child(call, Field::Arguments))??;
        let literal = Literal::read(tree, tree.nth(arguments, 1)?)?;
        let name = String::from_utf8(literal.value().to_vec()).ok()?;
        Some((tree.nth(arguments, 0)?, literal.node, name))
    };
    if let Some((object, place, name)) = parts() {
        report(review, out, object, place, &name);
    }
}

fn report(review: &Review<'_>, out: &mut Outcome, object: NodeId, place: NodeId, name: &str) {
    if name.starts_with('_') {
        return;
    }
    let unit = review.unit;
    let is_properties = review
        .single(object)
        .is_some_and(|value| value.gives == GpuValueKind::Properties && value.origin.is_some());
    if !is_properties {
        return;
    }
    let class = &review.gpus.properties.class;
    let row = format!("{class}.{name}");
    let row = unit.context.row(Section::Python, row.as_bytes());
    let range = unit.module.tree.range(place);
    let to = row.and_then(|row| row.to.as_deref());
    let python = unit.python_values();
    let home = python.import_home(&python.module.musa);
    let finding = match (row.map(|row| row.relation), to) {
        (Some(Relation::Renamed | Relation::Same), Some(to))
            // `torch_musa` has the field itself.
            if to.starts_with(&home) =>
        {
            return;
        }
        (Some(Relation::Renamed), Some(to)) => {
            let message = format!(
                "torch_musa's device properties have no `{name}`; the runtime package adds it"
            );
            let to = last_part(to);
            unit.finding(ADDED_FIELD, range, message).help(format!(
                "it asks the driver for `{to}`; see to it that `import torchada` runs before this"
            ))
        }
        (Some(_), _) => {
            let message = format!("torch_musa's device properties have no `{name}`");
            let advice = row.and_then(|row| row.advice.as_deref());
            unit.finding(NO_FIELD, range, message).help_if_any(advice)
        }
        // `props.get("max_shared_mem")`: another package's function gives a dictionary.
        (None, _) if has(&python.words_of_calls.keyed, name) => return,
        (None, _) => {
            let message = format!("no table knows the field `{name}` of a device's properties");
            unit.finding(NO_FIELD, range, message)
                .help("torch_musa's properties have `name`, `major`, `minor`, `total_memory`, `multi_processor_count`, `is_integrated` and `is_multi_gpu_board`")
        }
    };
    out.report(finding);
}
