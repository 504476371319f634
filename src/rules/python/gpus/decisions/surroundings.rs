//! What stands around a question: the names of the code that it is in, questions for platforms before it, tests.

use crate::python::ModuleView;
use crate::python::gpus::answers::answer;
use crate::python::gpus::values::Values;
use crate::python::leaving::leaves;
use crate::python::platforms::conditions::mentions_others;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How far the search goes outwards.
const REACH: usize = 64;

/// The names of the functions and classes around a node, and those of its file and folder.
pub(super) fn names_around(values: &Values<'_>, node: NodeId) -> Vec<u8> {
    let tree = &values.unit.module.tree;
    let mut names: Vec<u8> = Vec::new();
    for up in tree.ancestors(node).take(REACH) {
        if matches!(tree.kind(up), Kind::Function | Kind::Class)
            && let Some(name) = tree.child(up, Field::Name)
        {
            names.extend(tree.word(name));
            names.push(b' ');
        }
    }
    let path = values.unit.path;
    let parts: Vec<&str> = path.rsplit('/').take(2).collect();
    names.extend(parts.join(" ").bytes());
    names
}

/// Whether a word is the name of a package of the tree that is in no other package.
pub(super) fn is_own_package(view: &ModuleView<'_>, word: &str) -> bool {
    let files = || view.modules.files_of(view.index, word);
    view.modules.root_package() == Some(word)
        || files()
            .into_iter()
            .any(|file| view.modules.is_top_package(file))
}

/// The question for CUDA, or for another vendor's platform, of the project's own that comes before a node: in the same
/// condition, in those around it, or in one behind which nothing else gets there.
pub(super) fn behind_platform_question(values: &Values<'_>, node: NodeId) -> Option<String> {
    let tree = &values.unit.module.tree;
    let around = tree.ancestors(node).take(REACH);
    let premises = tree.premises(node, around, &|one| leaves(&values.unit, one));
    let mut premises = premises.iter();
    premises.find_map(|one| asks_for_platform(values, one.condition, one.holds))
}

/// The question for a platform in a condition that is surely true where the value of the condition is `holds`.
fn asks_for_platform(values: &Values<'_>, condition: NodeId, holds: bool) -> Option<String> {
    let tree = &values.unit.module.tree;
    let certain = tree.certain_parts(condition, holds).into_iter();
    let mut holding = certain.filter_map(|(part, holds)| holds.then_some(part));
    holding.find_map(|part| is_platform_question(values, part).then(|| tree.shown(part)))
}

/// Whether an expression asks for a platform, and MUSA does not get where it holds.
fn is_platform_question(values: &Values<'_>, question: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let name = match tree.kind(question) {
        // A question with arguments is about something else than the platform.
        Kind::Call if tree.argument(question, 0).is_none() => tree.callee(question),
        Kind::Identifier => Some(question),
        _ => None,
    };
    let Some(name) = name else { return false };
    let last = values.unit.module.last_name(name).to_ascii_lowercase();
    let last = String::from_utf8_lossy(&last).into_owned();
    let plain = last.trim_start_matches('_');
    let is_question = plain
        .split('_')
        .next()
        .is_some_and(|first| has(&values.gpus.asking.asks, first));
    let known = has(&values.gpus.deciding.cuda, plain)
        || is_question && mentions_others(&values.unit, plain.as_bytes());
    // A question that the port makes say yes leads MUSA there.
    known && answer(values, question) != Some(true)
}

/// Whether a call decides whether a test runs: `pytest.mark.skipif(…)`.
pub(super) fn guards_test(values: &Values<'_>, call: NodeId) -> bool {
    let word = values.unit.module.callee_word(call).to_ascii_lowercase();
    has(&values.unit.python_values().availability.guards, word)
}
