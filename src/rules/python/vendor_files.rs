//! Files and classes that a project has for CUDA alone, next to others for other platforms. The code that picks
//! them stays CUDA's, so they stay, too.

use super::alternatives::Alternatives;
use super::cuda_conditions::branches;
use super::inference::callee::node_of;
use super::take_back::take_back;
use super::vendors::beside;
use super::{ModuleView, PythonUnit, inference};
use crate::diagnostic::{Code, KeptReason, Severity};
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Consumer, Field, Literal, NodeId};
use crate::text::{LineIndex, TextRange};

/// A file or a class is CUDA's entry among those of several platforms.
pub const CUDA_ENTRY: Code = Code {
    id: "PY033",
    severity: Severity::Warning,
    title: "CUDA's own file or class among those of several platforms; MUSA's is missing",
};

/// Files and classes for CUDA alone.
pub struct VendorFiles;

impl Rule<PythonUnit<'_>> for VendorFiles {
    fn name(&self) -> &'static str {
        "python-vendor-files"
    }

    fn codes(&self) -> &'static [Code] {
        &[CUDA_ENTRY]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        for device in &unit.context.knowledge.devices {
            let whole = TextRange::new(0, unit.text.len());
            if has_word(unit.path, &device.cuda) {
                let twin = unit.path.replace(&device.cuda, &device.to);
                if unit.modules.file_at(&twin).is_some() {
                    take_back(out, whole, KeptReason::MusaTwin);
                    return;
                }
                if let Some(place) = picked(unit, &device.cuda) {
                    take_back(out, whole, KeptReason::VendorBranch);
                    let message = format!(
                        "`{}` stays: {place} picks it for CUDA, beside other platforms",
                        unit.path
                    );
                    out.findings.push(
                        unit.finding(CUDA_ENTRY, TextRange::new(0, 0), message)
                            .help(format!(
                                "make `{twin}` of it for MUSA, and add the entry that picks it"
                            )),
                    );
                    return;
                }
            }
            classes(unit, out, &device.cuda, &device.to);
        }
    }
}

/// Classes for CUDA alone.
fn classes(unit: &PythonUnit<'_>, out: &mut Outcome, cuda: &str, musa: &str) {
    let tree = &unit.module.tree;
    let outline = unit.modules.outline(unit.index);
    for head in outline.into_iter().flat_map(|one| &one.classes) {
        if !head.name.to_ascii_lowercase().contains(cuda) {
            continue;
        }
        let Some(node) = node_of(unit, head.name, head.at) else {
            continue;
        };
        let Some(name) = tree.child(node, Field::Name) else {
            continue;
        };
        let word = head.name;
        let Some(place) = class_picked(unit, name) else {
            continue;
        };
        let at = tree.range(node);
        let changed = out.edits.within(at).next().is_some()
            || out.findings.iter().any(|finding| at.covers(finding.range));
        if changed {
            take_back(out, at, KeptReason::VendorBranch);
            let message =
                format!("`{word}` stays: {place} picks it for CUDA, beside other platforms");
            let finding = unit.finding(CUDA_ENTRY, tree.range(name), message);
            out.findings.push(finding.help(format!(
                "make a class of its own for {musa} of it, and add the entry that picks it"
            )));
        }
    }
}

/// Whether a part of a path's last two names is a word: `cuda_accelerator.py`, `cuda/ops.py`.
pub(super) fn has_word(path: &str, word: &str) -> bool {
    path.rsplit('/')
        .take(2)
        .flat_map(|name| name.split(['_', '.', '-']))
        .any(|part| part == word)
}

/// Whether a whole file stays as CUDA's.
pub(super) fn stays_whole(unit: &ModuleView<'_>) -> bool {
    unit.context.knowledge.devices.iter().any(|device| {
        let twin = || unit.path.replace(&device.cuda, &device.to);
        has_word(unit.path, &device.cuda)
            && (unit.modules.file_at(&twin()).is_some() || picked(unit, &device.cuda).is_some())
    })
}

/// Where a file is imported in a branch that only CUDA takes, by one that picks another platform's
/// file in the same way: who takes a helper of it for such a branch chooses no platform, and what is imported
/// without a question beside the others' is for whoever asks.
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
            first.get_or_insert_with(|| place(&other, at));
        } else {
            // It has all of them at hand, whatever the platform.
            return None;
        }
    }
    first
}

fn place(unit: &ModuleView<'_>, at: usize) -> String {
    let line = LineIndex::new(unit.text).position(unit.text, at).line;
    format!("`{}:{line}`", unit.path)
}

/// Where a class is picked, if each of its uses does so for CUDA alone.
fn class_picked(unit: &ModuleView<'_>, name: NodeId) -> Option<String> {
    let mut first = None;
    let mut others = false;
    // The uses come file by file.
    let mut known: Option<(usize, Vec<TextRange>)> = None;
    inference::each_use(unit, name, &mut |unit, node| {
        let tree = &unit.module.tree;
        let of = unit.module.use_of(node);
        let entry = match of.consumer {
            Consumer::DictValue { pair } => tree
                .child(pair, Field::Key)
                .is_some_and(|key| is_cuda(unit, key) && beside(unit, &of) != Alternatives::None),
            _ => false,
        };
        let range = tree.range(node);
        if known.as_ref().is_none_or(|(file, _)| *file != unit.index) {
            let left = branches(unit).into_iter().map(|(range, _)| range);
            known = Some((unit.index, left.collect()));
        }
        let mut left = known.iter().flat_map(|(_, left)| left);
        if entry || left.any(|branch| branch.covers(range)) {
            first.get_or_insert_with(|| place(unit, range.start));
        } else if !matches!(of.consumer, Consumer::Annotation | Consumer::Other) {
            others = true;
        }
    });
    first.filter(|_| !others)
}

fn is_cuda(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let devices = &unit.context.knowledge.devices;
    Literal::read(&unit.module.tree, node)
        .is_some_and(|key| devices.iter().any(|one| one.cuda.as_bytes() == key.value()))
}
