//! Tables whose keys are the project's own names for platforms, `KERNELS = {Platform.CUDA: …, Platform.ROCM: …}`, and that
//! have no entry for MUSA: what a program finds in them on MUSA.

use crate::Outcome;
use crate::python::inference::{entry_dictionary, missing};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::platform;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::ONE_OF_SEVERAL;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::LineIndex;

/// Tables keyed by platforms.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    for table in tree.of(Kind::Dictionary) {
        let Some(cuda) = cudas_key(unit, table) else {
            continue;
        };
        let pair = tree.parent(cuda);
        let name = pair.and_then(|pair| entry_dictionary(unit, pair));
        let Some(name) = name.filter(|&name| tree.kind(name) == Kind::Identifier) else {
            continue;
        };
        let object = tree
            .child(cuda, Field::Object)
            .map(|one| tree.word(one).to_vec());
        let is_written = |other: &ModuleView<'_>, key: NodeId| {
            let of = other.module.tree.child(key, Field::Object);
            of.map(|one| other.module.tree.word(one).to_vec()) == object
        };
        let Some(first) = missing(unit, name, &is_written).into_iter().next() else {
            continue;
        };
        let text = &unit.modules.text_once(first.file);
        let line = LineIndex::new(text).position(text, first.range.start).line;
        let place = format!("{}:{line}", unit.modules.path(first.file));
        let found = match first.gives {
            Some(default) => format!("`{place}` finds `{default}` there"),
            None => format!("`{place}` raises an error there"),
        };
        let message = format!(
            "`{}` has an entry for `{}` and others, and none for MUSA: {found}",
            tree.shown(name),
            tree.shown(cuda),
        );
        let help = "add an entry for what the project calls MUSA's platform: a table for each kind of kernel decides \
                    which one a program finds";
        unit.report(out, ONE_OF_SEVERAL, tree.range(cuda), message, help);
    }
}

/// The key for CUDA of a table whose keys are members of one enumeration, with those of other platforms among them and none
/// of MUSA's.
fn cudas_key(unit: &ModuleView<'_>, table: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let words = &unit.python_values().vendors;
    let keys = tree
        .keys(table)
        .filter(|&key| tree.kind(key) == Kind::Attribute);
    let member =
        |key: NodeId| String::from_utf8_lossy(&unit.module.last_name(key)).to_ascii_lowercase();
    let object = |key: NodeId| tree.child(key, Field::Object).map(|one| tree.word(one));
    let keys: Vec<NodeId> = keys.collect();
    let cuda = keys
        .iter()
        .copied()
        .find(|&key| has(&words.own, member(key).as_bytes()))?;
    let beside = keys.iter().filter(|&&key| object(key) == object(cuda));
    let found = beside.fold(Alternatives::None, |found, &key| {
        found.or(platform(unit, &member(key)))
    });
    (found == Alternatives::OtherVendors).then_some(cuda)
}
