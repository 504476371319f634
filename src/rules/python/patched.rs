//! Names of `PyTorch`'s that tests replace: the replacement has to follow the code that uses the name.

use super::availability::is_question;
use super::cuda_conditions::branches;
use super::quoted::IN_STRING;
use super::{ModuleView, PythonUnit, vendor_files};
use crate::diagnostic::{Kept, KeptReason};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind};
use crate::text::TextRange;

/// What the port does with a name at the places that use the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatchTarget {
    /// The name changes at all its places, or no place is known.
    Changes,
    /// The name stays, since only CUDA takes the branches that use the name.
    Stays,
    /// The name changes at some places and stays at others.
    Both,
}

/// In how many modules that a test imports the name is looked for, and at how many places of each.
const MODULES: usize = 32;
const PLACES: usize = 64;

/// Whether a name that a test replaces surely changes at the places that use it; `None` if it stays.
pub fn follows(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    home: Option<&str>,
    name: &str,
    to: &str,
    range: TextRange,
) -> Option<bool> {
    match patch_target(unit, home, name) {
        PatchTarget::Changes => Some(true),
        PatchTarget::Stays => {
            let reason = KeptReason::VendorBranch;
            out.kept.push(Kept { range, reason });
            None
        }
        PatchTarget::Both => {
            let message = format!(
                "`{name}` stays: what is tested asks for it and for `{to}`, each in its branch"
            );
            let finding = unit.finding(IN_STRING, range, message);
            out.findings.push(finding.help(format!(
                "replace the one that this test reaches; `--unsafe` writes `{to}`"
            )));
            Some(false)
        }
    }
}

/// In the portable dialect: a test replaces `torch.cuda.is_available`, but the ported code tests for MUSA,
/// too.
pub fn alone(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, name: &str) {
    if !is_question(unit, name) || unit.is_musa() || !unit.imports_stub() {
        return;
    }
    let stub = &unit.python_values().entry;
    let message = format!(
        "`{name}` is replaced alone: what also asks `{}.{}()` still finds a GPU of MUSA's",
        stub.import, stub.asks
    );
    out.findings.push(
        unit.finding(IN_STRING, range, message)
            .help(format!("replace `{}.{}`, too", stub.import, stub.asks)),
    );
}

/// The change to a name that a test replaces: by the module that is named before it, else by the modules that the test
/// imports. `home`: the dotted name of the module, if one is named.
fn patch_target(unit: &ModuleView<'_>, home: Option<&str>, name: &str) -> PatchTarget {
    let mut files = match home {
        Some(home) => unit.modules.files_of(unit.index, home),
        None => imported(unit),
    };
    if home.is_some() {
        files = files.pop().into_iter().collect();
    }
    let (mut stays, mut changes) = (0, 0);
    for file in files {
        let last = name.rsplit('.').next().unwrap_or(name);
        if !unit.modules.has(file, last.as_bytes()) {
            continue;
        }
        let Some(other) = unit.other(file) else {
            continue;
        };
        let tree = &other.module.tree;
        let mut left: Option<Vec<TextRange>> = None;
        let places = unit.trees.places_of(file, last.as_bytes());
        for &place in places.iter().take(PLACES) {
            let asks = tree.parent(place).is_some_and(|up| {
                tree.kind(up) == Kind::Attribute
                    && tree.field(place) == Field::Attribute
                    && other.resolve(up).is_some_and(|found| found.name == name)
            });
            if !asks {
                continue;
            }
            let left = left.get_or_insert_with(|| left_in(&other));
            if left.iter().any(|one| one.covers(tree.range(place))) {
                stays += 1;
            } else {
                changes += 1;
            }
        }
    }
    match (stays, changes) {
        (0, _) => PatchTarget::Changes,
        (_, 0) => PatchTarget::Stays,
        _ => PatchTarget::Both,
    }
}

/// The code of a module that is CUDA's only, and stays.
fn left_in(unit: &ModuleView<'_>) -> Vec<TextRange> {
    if vendor_files::stays_whole(unit) {
        return vec![TextRange::new(0, unit.text.len())];
    }
    branches(unit).into_iter().map(|(range, _)| range).collect()
}

/// The modules of the tree's that a module imports by their names, or something of.
fn imported(unit: &ModuleView<'_>) -> Vec<usize> {
    let outline = unit.modules.outline(unit.index);
    let imports = outline.into_iter().flat_map(|one| &one.imports);
    let mut files: Vec<usize> = imports
        .filter_map(|one| unit.modules.files_of(unit.index, &one.module).pop())
        .take(MODULES)
        .collect();
    files.sort_unstable();
    files.dedup();
    files
}
