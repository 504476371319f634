//! Which classes an attribute belongs to: that of its object, where it is known; else those that have one of this name, if
//! they are few.

use std::sync::Arc;

use super::callee::class_of;
use super::limits::OWNERS_OF_ATTRIBUTE;
use super::names::by_name;
use super::role::StringRole;
use super::slot::{Slot, SlotKind};
use crate::mapping::ValueKind;
use crate::rules::python::ModuleView;
use crate::syntax::python::{Field, NodeId, ScopeId};

/// The slots that an attribute may be: those of the files whose classes set it.
pub(super) fn slots_of_attribute(view: &ModuleView<'_>, attribute: NodeId) -> Vec<Slot> {
    let tree = &view.module.tree;
    let (Some(object), Some(name)) = (
        tree.child(attribute, Field::Object),
        tree.child(attribute, Field::Attribute),
    ) else {
        return Vec::new();
    };
    let word = tree.word(name);
    let of_file = |file: usize| Slot {
        file,
        scope: ScopeId::MODULE,
        name: word.into(),
        kind: SlotKind::Attribute,
    };
    if let Some((file, class)) = class_of(view, object) {
        let mut files = Vec::new();
        view.modules.each_class(file, class, &mut |file, _| {
            files.push(file);
            false
        });
        files.sort_unstable();
        files.dedup();
        files.retain(|&file| sets(view, file, word));
        return files.into_iter().map(of_file).collect();
    }
    // Objects of PyTorch's have a `device`, too.
    let is_telling = word.contains(&b'_')
        && by_name(view, word) == StringRole::Known(ValueKind::Device)
        && view.module.resolve(attribute).is_none();
    let owners = if is_telling {
        owners(view, word)
    } else {
        Arc::default()
    };
    if owners.len() > OWNERS_OF_ATTRIBUTE {
        return Vec::new();
    }
    owners.iter().map(|&file| of_file(file)).collect()
}

/// The files whose classes set an attribute.
fn owners(view: &ModuleView<'_>, word: &[u8]) -> Arc<[usize]> {
    view.summaries.attribute_owners.of(word, || {
        let files = 0..view.modules.project().files.len();
        files.filter(|&file| sets(view, file, word)).collect()
    })
}

/// Whether a class of a file has a field of a name, or a method there sets one of `self`.
fn sets(view: &ModuleView<'_>, file: usize, word: &[u8]) -> bool {
    if !view.modules.has(file, word) {
        return false;
    }
    let outline = view.modules.outline(file);
    let mut classes = outline.into_iter().flat_map(|outline| &outline.classes);
    classes.any(|class| class.fields.iter().any(|one| one.as_bytes() == word))
        || sets_of_self(view.modules.text(file), word)
}

/// Whether a text has a statement that sets an attribute of `self`.
fn sets_of_self(text: &[u8], word: &[u8]) -> bool {
    let written = [b"self.".as_slice(), word].concat();
    memchr::memmem::find_iter(text, &written).any(|at| {
        let behind = text.get(at + written.len()..).unwrap_or_default();
        let behind = behind.trim_ascii_start();
        behind.starts_with(b":") || behind.starts_with(b"=") && !behind.starts_with(b"==")
    })
}
