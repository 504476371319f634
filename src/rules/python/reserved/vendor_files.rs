//! Files and classes that a project has for CUDA alone, next to others for other platforms. The code that picks
//! them stays CUDA's, so they stay, too.

use super::alternatives::Alternatives;
use super::alternatives_beside::alternatives_to;
use super::code::{ReserveTrigger, Reserved};
use super::cuda_conditions::branches;
use super::musa_twins::{self, path_has_word};
use crate::python::inference::callee::node_of;
use crate::python::{ModuleView, PythonUnit, inference};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::CUDA_ENTRY;
use torchada_mapping::knowledge::DeviceName;
use torchada_syntax::python::{Consumer, Field, NodeId};
use torchada_text::TextRange;

/// The code of a module that is CUDA's only: the whole module, or classes of it.
pub fn reserved(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    if let Some(whole) = musa_twins::module(unit) {
        return vec![whole];
    }
    let mut found = Vec::new();
    for device in &unit.context.knowledge.devices {
        if let Some(whole) = whole_file(unit, &device.cuda, &device.to) {
            found.push(whole);
            return found;
        }
        found.extend(classes(unit, &device.cuda, &device.to));
    }
    found
}

/// The whole module, if other code picks it for CUDA among several.
fn whole_file(unit: &PythonUnit<'_>, cuda: &str, musa: &str) -> Option<Reserved> {
    if !path_has_word(unit.path, cuda) {
        return None;
    }
    let whole = TextRange::new(0, unit.text.len());
    let counterpart = unit.path.replace(cuda, musa);
    let place = picked(unit, cuda)?;
    let message = format!(
        "`{}` stays: {place} picks it for CUDA, beside other platforms",
        unit.path
    );
    let finding = unit.finding(CUDA_ENTRY, TextRange::new(0, 0), message);
    let help = format!("make `{counterpart}` of it for MUSA, and add the entry that picks it");
    Some(Reserved {
        finding: Some(finding.help(help)),
        ..Reserved::silent(whole, KeptReason::VendorBranch)
    })
}

/// Classes for CUDA alone.
fn classes<'u>(
    unit: &'u PythonUnit<'_>,
    cuda: &'u str,
    musa: &'u str,
) -> impl Iterator<Item = Reserved> + 'u {
    let tree = &unit.module.tree;
    let outline = unit.modules.outline(unit.index);
    let heads = outline.into_iter().flat_map(|one| &one.classes);
    let named = heads.filter(move |head| head.name.to_ascii_lowercase().contains(cuda));
    named.filter_map(move |head| {
        let node = node_of(unit, head.name, head.at)?;
        let name = tree.child(node, Field::Name)?;
        let place = class_picked(unit, name)?;
        let message = format!(
            "`{}` stays: {place} picks it for CUDA, beside other platforms",
            head.name
        );
        let finding = unit.finding(CUDA_ENTRY, tree.range(name), message);
        let help =
            format!("make a class of its own for {musa} of it, and add the entry that picks it");
        Some(Reserved {
            when: ReserveTrigger::IfTouched,
            finding: Some(finding.help(help)),
            ..Reserved::silent(tree.range(node), KeptReason::VendorBranch)
        })
    })
}

/// Whether a whole file stays as CUDA's.
pub fn stays_whole(unit: &ModuleView<'_>) -> bool {
    let is_picked = |device: &DeviceName| {
        path_has_word(unit.path, &device.cuda) && picked(unit, &device.cuda).is_some()
    };
    musa_twins::has_twin(unit) || unit.context.knowledge.devices.iter().any(is_picked)
}

/// The place that imports a file in a branch which only CUDA takes, if the same code picks another platform's file in the
/// same way. Code that imports only a helper for such a branch chooses no platform, and an import without a question is
/// not for one platform only.
fn picked(unit: &ModuleView<'_>, cuda: &str) -> Option<String> {
    let others = &unit.python_values().vendors.others;
    let siblings: Vec<usize> = others
        .iter()
        .filter_map(|other| unit.modules.file_at(&unit.path.replace(cuda, other)))
        .collect();
    let chooses = |file: usize| siblings.iter().any(|&one| unit.modules.imports(file, one));
    let mut first = None;
    for &(file, at) in unit.modules.importers(unit.index) {
        if file == unit.index || !chooses(file) {
            continue;
        }
        let Some(other) = unit.other(file) else {
            continue;
        };
        let mut branches = branches(&other).into_iter();
        if branches.any(|(branch, _)| branch.covers(TextRange::new(at, at))) {
            first.get_or_insert_with(|| other.shown_line(at));
        } else {
            // It has all of them at hand, whatever the platform.
            return None;
        }
    }
    first
}

/// The place that picks a class, if each use of the class picks it for CUDA only.
fn class_picked(unit: &ModuleView<'_>, name: NodeId) -> Option<String> {
    let mut first = None;
    let mut others = false;
    // The uses come file by file.
    let mut known: Option<(usize, Vec<TextRange>)> = None;
    inference::each_use_while(unit, name, &mut |unit, node| {
        let tree = &unit.module.tree;
        let of = unit.module.use_of(node);
        let entry = match of.consumer {
            Consumer::DictValue { pair } => tree.child(pair, Field::Key).is_some_and(|key| {
                unit.is_cudas_word(key) && alternatives_to(unit, &of) != Alternatives::None
            }),
            _ => false,
        };
        let range = tree.range(node);
        if known.as_ref().is_none_or(|(file, _)| *file != unit.index) {
            let left = branches(unit).into_iter().map(|(range, _)| range);
            known = Some((unit.index, left.collect()));
        }
        let mut left = known.iter().flat_map(|(_, left)| left);
        if entry || left.any(|branch| branch.covers(range)) {
            first.get_or_insert_with(|| unit.shown_line(range.start));
        } else if !matches!(of.consumer, Consumer::Annotation | Consumer::Other) {
            others = true;
        }
        !others
    });
    first.filter(|_| !others)
}
