//! Names of one name space that the port decides apart: one stays CUDA's, and the other, which it is compared with or looked
//! up by, is MUSA's. This is looked for once all modules are translated.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::ModuleView;
use super::inference::{NameConflict, conflicting_name, names_cudas_device};
use torchada_diagnostic::codes::python::{
    DECIDED_APART, MAY_BE_BACKEND, MAY_BE_DEVICE, ONE_OF_SEVERAL, USED_AS_BOTH,
};
use torchada_diagnostic::{Code, Finding, Kept, KeptReason};
use torchada_mapping::stub::StubKnowledge;
use torchada_syntax::python::{Literal, NodeId};
use torchada_text::{LineIndex, TextRange, line_of};

/// The name of this check in reports.
pub const NAME: &str = "python-apart";

/// The findings on names that stay for want of knowledge.
const UNDECIDED: [Code; 4] = [MAY_BE_DEVICE, ONE_OF_SEVERAL, USED_AS_BOTH, MAY_BE_BACKEND];

/// Whether a finding says that a name stays for want of knowledge.
pub fn is_undecided(finding: &Finding) -> bool {
    UNDECIDED.contains(&finding.code)
}

/// A name that stays, and the file that it stands in.
type Place = (usize, TextRange);

/// A name that stays, with what it meets.
pub type ConflictingName = (NameConflict, Place);

/// The places of a module whose names stay, and might be others' names.
pub fn stays(findings: &[Finding], kept: &[Kept]) -> Vec<TextRange> {
    let undecided = findings.iter().filter(|one| is_undecided(one));
    let own = kept
        .iter()
        .filter(|one| one.reason == KeptReason::NotADevice);
    let undecided = undecided.map(|one| one.range);
    undecided.chain(own.map(|one| one.range)).collect()
}

/// Which of the names that stay in a module meet MUSA's.
pub fn look(
    view: &ModuleView<'_>,
    stays: &[TextRange],
    is_edited: &dyn Fn(usize, TextRange) -> bool,
) -> Vec<ConflictingName> {
    let tree = &view.module.tree;
    let writes = |other: &ModuleView<'_>, node: NodeId| {
        is_edited(other.index, other.module.tree.range(node)) && names_platform(other, node)
    };
    let stays: FxHashSet<TextRange> = stays.iter().copied().collect();
    let texts = view.module.strings().iter().copied();
    let texts =
        texts.filter(|&text| stays.contains(&tree.range(text)) && names_platform(view, text));
    let found = texts.filter_map(|text| {
        let place = (view.index, tree.range(text));
        Some((conflicting_name(view, text, &writes)?, place))
    });
    found.collect()
}

/// Whether a text names CUDA's device or backend.
fn names_platform(view: &ModuleView<'_>, text: NodeId) -> bool {
    let backends = &StubKnowledge::builtin().backends;
    Literal::read(&view.module.tree, text).is_some_and(|text| {
        names_cudas_device(view, &text)
            || backends
                .iter()
                .any(|one| one.cuda.as_bytes() == text.value())
    })
}

/// One finding for all names that meet the same one. It stands at the first of them.
pub fn report<'t>(
    found: Vec<ConflictingName>,
    file: &dyn Fn(usize) -> Option<(&'t str, &'t [u8])>,
) -> Vec<(usize, Finding)> {
    let mut by_conflict: BTreeMap<NameConflict, Vec<Place>> = BTreeMap::new();
    for (conflict, place) in found {
        by_conflict.entry(conflict).or_default().push(place);
    }
    let shown = |(index, range): Place| {
        let (path, text) = file(index)?;
        let line = line_of(text, range.start);
        let shown = String::from_utf8_lossy(range.of(text)).into_owned();
        Some((shown, format!("{path}:{line}")))
    };
    let mut findings = Vec::new();
    for (conflict, mut places) in by_conflict {
        places.sort_unstable();
        let Some(&first) = places.first() else {
            continue;
        };
        let (Some((path, text)), Some((stays, _)), Some((other, there))) = (
            file(first.0),
            shown(first),
            shown((conflict.file, conflict.range)),
        ) else {
            continue;
        };
        let message = if conflict.is_type {
            format!(
                "{stays} stays, and is compared with `{other}` of {there}, which is MUSA's there"
            )
        } else {
            format!("{stays} stays, and is compared with {other} of {there}, which becomes MUSA's")
        };
        let more: Vec<String> = places
            .iter()
            .skip(1)
            .filter_map(|&one| Some(shown(one)?.1))
            .collect();
        let also = match more.as_slice() {
            [] => String::new(),
            more => format!(", and at {}", more.join(", ")),
        };
        let help = format!(
            "the comparison or the look-up fails on MUSA: write MUSA's name here{also}, or turn the value of {there} into CUDA's name"
        );
        let lines = LineIndex::new(text);
        let finding = Finding::at(DECIDED_APART, path, text, &lines, first.1, message);
        findings.push((first.0, finding.help(help)));
    }
    findings
}
