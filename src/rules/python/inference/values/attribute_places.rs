//! Where attributes of a name stand in the files of a tree, with what they may be.

use std::sync::Arc;

use super::attributes::{keys_of_attribute, slots_of_attribute};
use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::IMPORTERS;
use crate::python::inference::uses::callee::functions;
use crate::python::inference::uses::places::places;
use crate::python::inference::uses::shared_answers::is_member;
use torchada_project::python::Callee;
use torchada_syntax::python::{Field, Kind, NodeId};

/// The places where an attribute of a name is read in a file, with the slots that it may be: of the keys of a dictionary,
/// or of its value. Those that may be none are left out.
pub fn attributes_read(
    view: &ModuleView<'_>,
    file: usize,
    word: &[u8],
    kind: SlotKind,
) -> Arc<[(NodeId, Vec<Slot>)]> {
    let is_keys = kind == SlotKind::KeysOfAttribute;
    let find_in = |other: &ModuleView<'_>| {
        let tree = &other.module.tree;
        let attributes = places(other, word).iter();
        let attributes = attributes.filter_map(|&node| tree.attribute_of(node));
        let attributes = attributes.filter(|&one| tree.field(one) != Field::Left);
        let with_slots = attributes.map(|attribute| {
            let slots = if is_keys {
                keys_of_attribute(other, attribute)
            } else {
                slots_of_attribute(other, attribute)
            };
            (attribute, slots)
        });
        with_slots.filter(|(_, slots)| !slots.is_empty()).collect()
    };
    let find = || {
        let may_stand = is_member(&view.modules.text_once(file), word);
        let found = may_stand.then(|| view.question_of(file, find_in));
        found.flatten().unwrap_or_default()
    };
    let known = &view.summaries.elsewhere.attributes;
    known.once((is_keys, (file, word.into())), find)
}

/// The functions that an attribute of a name is set to somewhere: `config.check = check_device`.
pub fn functions_set(view: &ModuleView<'_>, word: &[u8]) -> Arc<[Callee]> {
    let find = || {
        let mut found = Vec::new();
        // Few of the files that name an attribute also set it.
        let set = [b".", word, b" ="].concat();
        let files = view.modules.files_with(word).into_iter();
        let setting = files.filter(|&file| view.modules.has(file, &set));
        for file in setting.take(IMPORTERS) {
            view.question_of(file, |other| {
                let tree = &other.module.tree;
                for &node in places(other, word) {
                    let target = tree.parent(node).filter(|&up| {
                        tree.kind(up) == Kind::Attribute && tree.field(up) == Field::Left
                    });
                    let assignment = target.and_then(|target| tree.parent(target));
                    let value = assignment.and_then(|one| tree.child(one, Field::Right));
                    found.extend(value.into_iter().flat_map(|value| functions(other, value)));
                }
            });
        }
        found
    };
    view.summaries.elsewhere.set_to.once(word.into(), find)
}
