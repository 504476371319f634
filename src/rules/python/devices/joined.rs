//! Texts that join names of devices, and are taken apart again: `"pinned-cuda"` of `--mode`, where the code has
//! `storage_device, device = args.mode.split("-")`; and those that `PyTorch` takes apart, `"rank:0/cuda:0"`.

use std::cell::LazyCell;

use super::text_with_device::is_device_text;
use crate::python::PythonUnit;
use crate::python::inference::by_name;
use crate::python::inference::options;
use crate::{Change, Outcome};
use torchada_mapping::Evidence;
use torchada_syntax::python::{Consumer, Field, HOLE, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// Texts that join names of devices.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let placements = &unit.python_values().words_of_calls.placements;
    // Most modules have no text for them.
    let splits = LazyCell::new(|| splits(unit));
    for device in &unit.context.knowledge.devices {
        for literal in unit.literals(&[&device.cuda]) {
            if unit.is_claimed(out, literal.node) {
                continue;
            }
            let names = holders(unit, literal.node);
            let split = splits.iter().find(|one| names.contains(&one.name));
            let mut parts = split.map_or(Vec::new(), |one| parts(&literal, one, &device.cuda));
            parts.extend(placed(&literal, placements, &device.cuda));
            for place in parts {
                unit.change(
                    out,
                    Change::new(place, &device.to).evidence(Evidence::Confirmed),
                );
            }
        }
    }
}

/// The place of a device's name in a text that says on which device of which process a tensor lies: `"rank:0/cuda:0"`.
fn placed(literal: &Literal, placements: &[String], cuda: &str) -> Option<TextRange> {
    let value = literal.text().into_owned();
    let (process, device) = value.split_once('/')?;
    let number = placements
        .iter()
        .find_map(|begin| process.strip_prefix(begin.as_str()))?;
    let number = number.replace(HOLE, "");
    (is_device_text(device, cuda) && number.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| {
            let at = process.len() + 1;
            literal.in_file(TextRange::new(at, at + cuda.len()))
        })
        .flatten()
}

/// A text that is taken apart into devices.
struct Split {
    /// The name of what holds it.
    name: Vec<u8>,
    /// What stands between the devices.
    separator: Vec<u8>,
}

/// The texts of a file that are taken apart into several values, of which the name of one at least tells a device.
fn splits(unit: &PythonUnit<'_>) -> Vec<Split> {
    let tree = &unit.module.tree;
    let words = &unit.python_values().words_of_calls.splits;
    let places = words
        .iter()
        .flat_map(|word| unit.module.places_of(word.as_bytes()));
    let split = |&place: &NodeId| {
        let method = tree.attribute_of(place)?;
        let call = tree.parent_if(method, Kind::Call)?;
        let targets = tree.assigned_target(call)?;
        let is_device = |one: NodeId| by_name(unit, &unit.module.last_name(one)).is_device();
        let separator = Literal::read(tree, tree.argument(call, 0)?)?;
        let name = unit.module.last_name(tree.child(method, Field::Object)?);
        (tree.children(targets).any(is_device) && !name.is_empty()).then(|| Split {
            name: name.into(),
            separator: separator.value().to_vec(),
        })
    };
    places.filter_map(split).collect()
}

/// The names that hold a text: those of an option, of a target, of what it is compared with.
fn holders(unit: &PythonUnit<'_>, literal: NodeId) -> Vec<Vec<u8>> {
    match unit.module.use_of(literal).consumer {
        Consumer::Keyword { call, name } if options::gives_values(unit, name) => {
            let names = options::names(unit, call).into_iter();
            names
                .map(|name| name.trim_start_matches('-').replace('-', "_").into_bytes())
                .collect()
        }
        Consumer::Target { target } => vec![unit.module.last_name(target).into()],
        Consumer::Comparison { other, .. } => vec![unit.module.last_name(other).into()],
        _ => Vec::new(),
    }
}

/// The places of a device's name among several parts of a text.
fn parts(literal: &Literal, split: &Split, cuda: &str) -> Vec<TextRange> {
    let value = literal.text().into_owned();
    let separator = String::from_utf8_lossy(&split.separator).into_owned();
    if separator.is_empty() || !value.contains(&separator) {
        return Vec::new();
    }
    let mut at = 0;
    let mut found = Vec::new();
    for part in value.split(&separator) {
        if part == cuda {
            found.extend(literal.in_file(TextRange::new(at, at + part.len())));
        }
        at += part.len() + separator.len();
    }
    found
}
