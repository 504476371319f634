//! The name spaces of a project's own names for platforms: all slots that such a name goes through.
//!
//! A slot whose value is compared with CUDA's name and against that of a platform which `PyTorch` has no device of starts one.
//! Whatever gives that slot its value, and whatever takes the value, belongs to it, too: a field, a parameter, what a function
//! returns. So one decision is taken for all of them: the names stay. What hands its value to `PyTorch` is a device and no
//! part of it.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::python::ModuleView;
use crate::python::inference::by_use::arguments::by_callee;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::SLOTS_OF_PLATFORMS;
use crate::python::inference::role::device_texts::{names_cudas_device, typed_object};
use crate::python::inference::uses::compared::compared_literals;
use crate::python::inference::values::callers::sources;
use crate::python::inference::values::steps::{destinations, each_place, gets_to, origins};
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{Consumer, Dotted, Kind, Literal, Use};

/// The slots of the project's own names for platforms.
pub fn own_platforms<'v>(view: &'v ModuleView<'_>) -> &'v FxHashSet<Slot> {
    view.summaries.own_platforms(|| grow(view))
}

/// All slots that a value goes through from those that are compared with names of platforms.
fn grow(view: &ModuleView<'_>) -> FxHashSet<Slot> {
    let mut waiting: VecDeque<Slot> = starts(view).into();
    let mut found: FxHashSet<Slot> = waiting.iter().cloned().collect();
    while let Some(slot) = waiting.pop_front() {
        if found.len() > SLOTS_OF_PLATFORMS {
            break;
        }
        // What goes to PyTorch from here is a device all the same, so nothing is followed further.
        if reaches_torch(view, &slot) {
            continue;
        }
        let next = view.summaries.elsewhere.neighbours.once(slot.clone(), || {
            let next = view.question_of(slot.file, |home| {
                let mut next = sources(home, &slot);
                each_place(home, &slot, &mut |other, node| {
                    next.extend(destinations(other, &other.module.use_of(node)));
                });
                next
            });
            next.unwrap_or_default()
        });
        for one in next.iter() {
            if !found.contains(one) && !reaches_torch(view, one) {
                found.insert(one.clone());
                waiting.push_back(one.clone());
            }
        }
    }
    found
}

/// The slots whose values are compared with CUDA's name and against such a platform's, in the order of files and places.
fn starts(view: &ModuleView<'_>) -> Vec<Slot> {
    let no_devices = &view.python_values().vendors.no_devices;
    let devices = &view.context.knowledge.devices;
    // A text that begins with a name has a quote before it.
    let quoted = |name: &str| ['"', '\''].map(|quote| format!("{quote}{name}"));
    let no_device_texts: Vec<_> = no_devices.iter().map(|name| quoted(name)).collect();
    let own_texts: Vec<_> = devices.iter().map(|one| quoted(&one.cuda)).collect();
    let has = |file: usize, texts: &[[String; 2]]| {
        let mut texts = texts.iter().flatten();
        texts.any(|text| view.modules.has(file, text.as_bytes()))
    };
    // The name of a device stands by itself in its text, and most files have none of the other platforms'.
    let with_name = no_devices
        .iter()
        .flat_map(|name| view.modules.files_with(name.as_bytes()));
    let files: BTreeSet<usize> = with_name.collect();
    let may_name_own = |file: usize| {
        let mut own = devices.iter();
        own.any(|one| view.modules.has(file, one.cuda.as_bytes()))
    };
    let files = files
        .into_iter()
        .filter(|&file| may_name_own(file) && has(file, &no_device_texts) && has(file, &own_texts));
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for file in files {
        let of_file = &view.summaries.elsewhere.compared;
        let of_file = of_file.once(file, || {
            view.question_of(file, starts_in).unwrap_or_default()
        });
        found.extend(
            of_file
                .iter()
                .filter(|slot| seen.insert((*slot).clone()))
                .cloned(),
        );
    }
    found
}

/// The slots whose values a file compares both with CUDA's name and with such a platform's.
fn starts_in(view: &ModuleView<'_>) -> Vec<Slot> {
    let no_devices = &view.python_values().vendors.no_devices;
    let mut found = Vec::new();
    let mut compared: FxHashMap<Slot, (bool, bool)> = FxHashMap::default();
    let tree = &view.module.tree;
    for comparison in tree.of(Kind::Comparison) {
        let literals = compared_literals(view, comparison);
        let is_other = |text: &Literal| has(no_devices, text.value());
        let is_cudas = |text: &Literal| names_cudas_device(view, text);
        let (others, cudas) = (literals.iter().any(is_other), literals.iter().any(is_cudas));
        if !others && !cudas {
            continue;
        }
        for side in tree.children(comparison) {
            for slot in origins(view, side) {
                let known = compared.entry(slot.clone()).or_default();
                let was = *known;
                *known = (was.0 | others, was.1 | cudas);
                if *known == (true, true) && was != (true, true) {
                    found.push(slot);
                }
            }
        }
    }
    found
}

/// Whether the value of a slot gets to a function of `PyTorch`'s that takes a device or a backend, or comes from a device.
pub fn reaches_torch(view: &ModuleView<'_>, slot: &Slot) -> bool {
    let known = &view.summaries.to_torch;
    gets_to(view, slot, known, &is_type_of_device, &is_taken_by_torch)
}

/// Whether a variable of the file gets the type of a device: `tensor.device.type`.
fn is_type_of_device(view: &ModuleView<'_>, slot: &Slot) -> bool {
    let mut bindings = view.module.bindings_in(slot.scope, &slot.name).iter();
    slot.kind == SlotKind::Variable
        && bindings.any(|binding| {
            let object = binding.value().and_then(|value| typed_object(view, value));
            object.is_some_and(|object| *view.module.last_name(object) == *b"device")
        })
}

/// Whether a function of `PyTorch`'s takes the value at a place as a device or as a backend.
fn is_taken_by_torch(view: &ModuleView<'_>, of: &Use) -> bool {
    match of.consumer {
        Consumer::Argument {
            call,
            position: Some(position),
        } => matches!(
            by_callee(view, call, position),
            Some(ValueKind::Device | ValueKind::Backend)
        ),
        Consumer::Keyword { call, name } => {
            let values = view.python_values();
            let word = view.module.tree.word(name);
            let mut kinds = [ValueKind::Device, ValueKind::Backend].into_iter();
            let callee = view.callee_name(call).filter(Dotted::is_sure);
            kinds.any(|kind| values.holds(word, kind))
                && callee.is_some_and(|callee| values.torch_names.has(&callee.name))
        }
        _ => false,
    }
}
