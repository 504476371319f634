//! Whether a value is the project's own name for a platform: it is compared both with CUDA's name and with that of a
//! platform which `PyTorch` has no device of. Such a name stays, together with what it is compared with.

use std::sync::Arc;

use super::name_spaces::own_platforms;
use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::role::device_texts::names_cudas_device;
use crate::python::inference::uses::callee::node_of;
use crate::python::inference::uses::compared::{compared_fields, compared_in};
use crate::python::inference::values::steps::destinations;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, ScopeId, Use};

/// Whether a value goes to such a name, or is compared with one.
pub fn is_project_platform_name(view: &ModuleView<'_>, of: &Use) -> bool {
    if given_by_entry(view, of).is_some_and(|slot| own_platforms(view).contains(&slot)) {
        return true;
    }
    let is_listed = of.items().next().is_some();
    let is_compared = matches!(of.consumer, Consumer::Comparison { .. });
    if of.is_part() || is_listed && !is_compared {
        return false;
    }
    if let Consumer::Comparison { other, .. } = of.consumer
        && is_compared_around(view, other)
    {
        return true;
    }
    let slots = destinations(view, of);
    let own = || own_platforms(view);
    !slots.is_empty() && slots.iter().all(|slot| own().contains(slot))
}

/// The variable that others read of a module which makes its variables by `__getattr__`, where the value is the default in
/// the entry of its name: `{"TARGET_DEVICE": lambda: os.getenv("TARGET_DEVICE", "cuda")}`.
fn given_by_entry(view: &ModuleView<'_>, of: &Use) -> Option<Slot> {
    let call = of.argument_at(1)?;
    let tree = &view.module.tree;
    let keyed = &view.python_values().words_of_calls.keyed;
    let makes = view.module.bindings_in(ScopeId::MODULE, b"__getattr__");
    if makes.is_empty() || !has(keyed, view.module.callee_word(call)) {
        return None;
    }
    let mut around = tree.ancestors(call);
    let lambda = around.find(|&one| tree.kind(one) == Kind::Lambda)?;
    let pair = tree.parent(lambda)?;
    let key = Literal::read(tree, tree.child(pair, Field::Key)?)?;
    Some(Slot::new(
        view.index,
        ScopeId::MODULE,
        key.value(),
        SlotKind::Variable,
    ))
}

/// Whether an expression is compared so elsewhere in its function or its class, or is a field that a class of the
/// tree's checks so.
fn is_compared_around(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &view.module.tree;
    let around = match tree.kind(expression) {
        Kind::Identifier => Kind::Function,
        Kind::Attribute => Kind::Class,
        _ => return false,
    };
    let around = tree
        .ancestors(expression)
        .find(|&one| tree.kind(one) == around);
    let body = around.and_then(|one| tree.child(one, Field::Body));
    let word = tree.word(expression);
    let is_own = tree.kind(expression) == Kind::Identifier || word.starts_with(b"self.");
    is_own && body.is_some_and(|body| is_compared_with_platforms(view, body, word))
        || is_checked_field(view, expression)
}

/// Whether an expression is, or is bound to, a field that a class checks when it is made: `engine.kind`, where
/// `__post_init__` says `assert self.kind in ["cuda", "rocm"]`.
fn is_checked_field(view: &ModuleView<'_>, expression: NodeId) -> bool {
    let tree = &view.module.tree;
    let field = match tree.kind(expression) {
        Kind::Attribute => Some(expression),
        _ => crate::python::inference::uses::callee::only_value(view, expression),
    };
    let Some(field) = field.filter(|&one| tree.kind(one) == Kind::Attribute) else {
        return false;
    };
    let name = view.module.last_name(field);
    let known = &view.summaries.elsewhere.checked_fields;
    let checked = known.once((*name).into(), || {
        let mut files = view.modules.files_with(&name).into_iter();
        let check = files.find(|&file| checked_in(view, file).contains(&(*name).into()));
        check.into_iter().collect()
    });
    !checked.is_empty()
}

/// The fields that the classes of a file check so.
fn checked_in(view: &ModuleView<'_>, file: usize) -> Arc<[Box<[u8]>]> {
    let vendors = &view.python_values().vendors;
    let known = &view.summaries.elsewhere.checked_in;
    known.once(file, || {
        let checks = |name: &str| has(&vendors.checking_methods, name);
        let outline = view.modules.outline(file).into_iter();
        let heads = outline.flat_map(|outline| &outline.functions);
        let heads = heads.filter(|head| head.class.is_some() && checks(head.name));
        let mut words = vendors.no_devices.iter();
        let mut found = Vec::new();
        // Its tree need not be made where none of the names stands in the text.
        if heads.clone().next().is_some()
            && words.any(|word| view.modules.has(file, word.as_bytes()))
            && let Some(other) = view.other(file)
        {
            for head in heads {
                let function = node_of(&other, head.name, head.at);
                let tree = &other.module.tree;
                if let Some(body) = function.and_then(|one| tree.child(one, Field::Body)) {
                    let compared = compared_fields(&other, body).into_iter();
                    let checked = compared.filter(|(_, literals)| are_platforms(view, literals));
                    found.extend(checked.map(|(name, _)| name.into()));
                }
            }
        }
        found
    })
}

/// Whether an expression, as it is written, is compared in a body with CUDA's name and with such a platform's.
fn is_compared_with_platforms(view: &ModuleView<'_>, body: NodeId, written: &[u8]) -> bool {
    let no_devices = &view.python_values().vendors.no_devices;
    // Most modules name none of them.
    no_devices.iter().any(|word| view.contains(word))
        && are_platforms(view, &compared_in(view, body, written))
}

/// Whether CUDA's name is among some literals, and that of a platform which `PyTorch` has no device of.
fn are_platforms(view: &ModuleView<'_>, literals: &[Literal]) -> bool {
    let no_devices = &view.python_values().vendors.no_devices;
    let is_platform = |text: &Literal| has(no_devices, text.value());
    let is_cudas = |text: &Literal| names_cudas_device(view, text);
    literals.iter().any(is_platform) && literals.iter().any(is_cudas)
}
