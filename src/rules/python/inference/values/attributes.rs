//! Which classes an attribute belongs to: that of its object, where it is known; else those that have one of this name, if
//! they are few.

use std::sync::Arc;

use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::{OBJECT_STEPS, OWNERS_OF_ATTRIBUTE};
use crate::python::inference::role::names::by_name;
use crate::python::inference::uses::callee::{
    class_body, class_of, imported_variable, node_of, only_value, own_class,
};
use crate::python::inference::uses::places::places;
use torchada_mapping::has;
use torchada_syntax::python::{ClassHead, Field, Kind, NodeId, ScopeId};

/// The slots that an attribute may be: those of the files whose classes set it.
pub fn slots_of_attribute(view: &ModuleView<'_>, attribute: NodeId) -> Vec<Slot> {
    if let Some(slot) = variable_of_module(view, attribute, SlotKind::Variable) {
        return vec![slot];
    }
    // Objects of PyTorch's have a `device`, too.
    slots(view, attribute, SlotKind::Attribute, |word| {
        word.contains(&b'_') && by_name(view, word).is_device()
    })
}

/// The slot of a variable of another module's: `NAME`, where that is imported, and `module.NAME`.
pub fn variable_of_module(view: &ModuleView<'_>, name: NodeId, kind: SlotKind) -> Option<Slot> {
    let (file, own) = imported_variable(view, name)?;
    Some(Slot::new(file, ScopeId::MODULE, own.as_bytes(), kind))
}

/// The slots of the keys that a dictionary has which is an attribute.
pub fn keys_of_attribute(view: &ModuleView<'_>, attribute: NodeId) -> Vec<Slot> {
    slots(view, attribute, SlotKind::KeysOfAttribute, |word| {
        word.contains(&b'_')
    })
}

/// The slots of the keys of a dictionary that a name or an attribute holds as a field of objects. What a class sets in its
/// body, the methods of its bases look up, too.
pub fn tables_of_objects(view: &ModuleView<'_>, table: NodeId) -> Vec<Slot> {
    let word = view.module.tree.word(table);
    match view.module.tree.kind(table) {
        Kind::Attribute => keys_of_attribute(view, table),
        Kind::Identifier if class_body(view, table).is_some() => {
            let own = Slot::of_attribute(view.index, word);
            let inherited = slots_of_field(view, table).into_iter();
            let others = inherited.filter(|slot| slot.file != own.file);
            let kind = SlotKind::KeysOfAttribute;
            let all = std::iter::once(own.clone()).chain(others);
            all.map(|slot| Slot { kind, ..slot }).collect()
        }
        _ => Vec::new(),
    }
}

/// The slots of an attribute. `is_telling` says whether a name is enough where nobody knows the class of the object.
fn slots(
    view: &ModuleView<'_>,
    attribute: NodeId,
    kind: SlotKind,
    is_telling: impl Fn(&[u8]) -> bool,
) -> Vec<Slot> {
    let tree = &view.module.tree;
    let Some((object, name)) = tree.object_and_name(attribute) else {
        return Vec::new();
    };
    let word = tree.word(name);
    let of_file = |file: usize| Slot {
        kind,
        ..Slot::of_attribute(file, word)
    };
    if let Some((file, class)) = class_of_object(view, object, OBJECT_STEPS) {
        let mut files = Vec::new();
        view.modules.each_class(file, class, &mut |file, class| {
            let is_declared_here = || {
                let other = view.other(file);
                other.is_some_and(|other| !statements_of_field(&other, class, word).is_empty())
            };
            if sets(view, file, word) || view.modules.has(file, word) && is_declared_here() {
                files.push(file);
            }
            false
        });
        files.sort_unstable();
        files.dedup();
        return files.into_iter().map(of_file).collect();
    }
    let owners = if is_telling(word) && view.module.resolve(attribute).is_none() {
        owners(view, word)
    } else {
        Arc::default()
    };
    if owners.len() > OWNERS_OF_ATTRIBUTE {
        return Vec::new();
    }
    owners.iter().map(|&file| of_file(file)).collect()
}

/// The slots of a field that a class sets in its body, where its bases have it, too.
pub fn slots_of_field(view: &ModuleView<'_>, target: NodeId) -> Vec<Slot> {
    let class = class_body(view, target).and_then(|_| own_class(view, target));
    slots_in_class(view, class, view.module.tree.word(target))
}

/// The slots of a field that the class is made with which a call makes: `Config(backend="nccl")`.
pub fn slots_of_keyword(view: &ModuleView<'_>, call: NodeId, name: NodeId) -> Vec<Slot> {
    slots_in_class(view, class_of(view, call), view.module.tree.word(name))
}

fn slots_in_class(view: &ModuleView<'_>, class: Option<(usize, usize)>, word: &[u8]) -> Vec<Slot> {
    let mut found = Vec::new();
    if let Some((file, class)) = class {
        view.modules.each_class(file, class, &mut |file, _| {
            if view.modules.has(file, word) {
                found.push(Slot::of_attribute(file, word));
            }
            false
        });
    }
    found
}

/// The slots of an attribute whose object is called like a class that sets it: `config.transfer.backend`, where
/// `class TransferConfig` has a `backend`.
pub fn slots_by_class_name(view: &ModuleView<'_>, attribute: NodeId) -> Vec<Slot> {
    let tree = &view.module.tree;
    let Some((object, name)) = tree.object_and_name(attribute) else {
        return Vec::new();
    };
    if !slots_of_attribute(view, attribute).is_empty() {
        return Vec::new();
    }
    let plain = |word: &[u8]| -> Vec<u8> {
        let letters = word.iter().filter(|&&one| one != b'_');
        letters.map(u8::to_ascii_lowercase).collect()
    };
    let object = plain(&view.module.last_name(object));
    let word = tree.word(name);
    let words = &view.python_values().words_of_calls;
    let is_meant = |class: &str| {
        let class = plain(class.as_bytes());
        let rest = class.strip_prefix(&*object);
        rest.is_some_and(|rest| rest.is_empty() || has(&words.settings, rest))
    };
    let owners = owners(view, word);
    let files = owners.iter().filter(|&&file| {
        let outline = view.modules.outline(file);
        let mut classes = outline.into_iter().flat_map(|outline| &outline.classes);
        object.len() > 2 && classes.any(|class| is_meant(class.name))
    });
    files.map(|&file| Slot::of_attribute(file, word)).collect()
}

/// The class of an object, which may be an attribute itself: `self.manager`, where `self.manager = Manager()`.
fn class_of_object(view: &ModuleView<'_>, object: NodeId, steps: usize) -> Option<(usize, usize)> {
    let tree = &view.module.tree;
    let steps = steps.checked_sub(1)?;
    if tree.kind(object) != Kind::Attribute {
        // `manager = Owner.manager`
        let value = only_value(view, object).filter(|&one| tree.kind(one) == Kind::Attribute);
        return value.map_or_else(
            || class_of(view, object),
            |value| class_of_object(view, value, steps),
        );
    }
    let (of, name) = tree.object_and_name(object)?;
    let (file, class) = class_of_object(view, of, steps)?;
    let word = tree.word(name);
    let mut found = None;
    view.modules.each_class(file, class, &mut |file, class| {
        let other = view.other(file);
        found = other.and_then(|other| {
            let mut values = values_of_field(&other, class, word).into_iter();
            values.find_map(|value| class_of(&other, value))
        });
        found.is_some()
    });
    found
}

/// What a class of the file sets its field to, in its body or by `self`.
fn values_of_field(view: &ModuleView<'_>, class: usize, word: &[u8]) -> Vec<NodeId> {
    let statements = statements_of_field(view, class, word).into_iter();
    let right = |statement| view.module.tree.child(statement, Field::Right);
    statements.filter_map(right).collect()
}

/// The statements by which a class of the file sets or declares a field, in its body or by `self`: `backend = "gloo"`,
/// `backend: ClassVar[str]`.
fn statements_of_field(view: &ModuleView<'_>, class: usize, word: &[u8]) -> Vec<NodeId> {
    let tree = &view.module.tree;
    let outline = view.modules.outline(view.index);
    let head = outline.and_then(|outline| outline.classes.get(class));
    let Some(class) = head.and_then(|head| node_of(view, head.name, head.at)) else {
        return Vec::new();
    };
    let statements = places(view, word).iter().filter_map(|&place| {
        let up = tree.parent(place)?;
        let target = if tree.kind(up) == Kind::Attribute {
            let object = tree.child(up, Field::Object)?;
            (tree.word(object) == b"self").then_some(up)?
        } else {
            class_body(view, place).map(|_| place)?
        };
        let assignment = tree.parent(target)?;
        let is_set = tree.kind(assignment) == Kind::Assignment && tree.field(target) == Field::Left;
        let is_here = tree.ancestors(assignment).any(|one| one == class);
        (is_set && is_here).then_some(assignment)
    });
    statements.collect()
}

/// The files whose classes set an attribute.
fn owners(view: &ModuleView<'_>, word: &[u8]) -> Arc<[usize]> {
    view.summaries.elsewhere.owners.once(word.into(), || {
        let files = view.modules.files_with(word).into_iter();
        files.filter(|&file| sets(view, file, word)).collect()
    })
}

/// Whether a class of a file has a field of a name, or a method there sets one of `self`.
fn sets(view: &ModuleView<'_>, file: usize, word: &[u8]) -> bool {
    if !view.modules.has(file, word) {
        return false;
    }
    let outline = view.modules.outline(file);
    let classes = outline.map_or(&[][..], |outline| &outline.classes);
    let has_field = |class: &ClassHead<'_>| has(&class.fields, word);
    if classes.is_empty() {
        return false;
    }
    classes.iter().any(has_field)
        || sets_of_self(&view.modules.text_once(file), word)
        || has_property(view, file, word)
}

/// Whether a class of a file has a method of a name that is read as an attribute.
pub fn has_property(view: &ModuleView<'_>, file: usize, word: &[u8]) -> bool {
    let words = &view.python_values().words_of_calls;
    let outline = view.modules.outline(file);
    let mut functions = outline.into_iter().flat_map(|outline| &outline.functions);
    functions.any(|one| {
        let mut decorators = one.decorators.iter();
        one.class.is_some()
            && one.name.as_bytes() == word
            && decorators.any(|decorator| has(&words.properties, decorator))
    })
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

/// Whether a text has a statement that sets attributes of `self` by names which it is given: `setattr(self, name, value)`.
pub fn sets_by_name(text: &[u8]) -> bool {
    const SETS: &[u8] = b"setattr(self,";
    memchr::memmem::find_iter(text, SETS).any(|at| {
        let behind = text.get(at + SETS.len()..).unwrap_or_default();
        behind
            .trim_ascii_start()
            .first()
            .is_some_and(|one| one.is_ascii_alphabetic() || *one == b'_')
    })
}

/// What the class around an attribute of `self` sets it to, in its body and in its methods.
pub fn values_of_own_field(view: &ModuleView<'_>, attribute: NodeId) -> Vec<NodeId> {
    let tree = &view.module.tree;
    let own = tree
        .object_and_name(attribute)
        .filter(|&(object, _)| tree.word(object) == b"self");
    let Some((object, name)) = own else {
        return Vec::new();
    };
    match own_class(view, object) {
        Some((file, class)) if file == view.index => values_of_field(view, class, tree.word(name)),
        _ => Vec::new(),
    }
}
