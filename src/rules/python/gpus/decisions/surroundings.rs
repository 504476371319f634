//! What stands around a question: the names of the code that it is in, questions for platforms before it, tests.

use crate::python::ModuleView;
use crate::python::gpus::answers::answer;
use crate::python::gpus::values::Values;
use crate::python::inference::options::has;
use crate::python::leaving::leaves;
use crate::python::platforms::conditions::mentions_others;
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
    let mut below = node;
    for up in tree.ancestors(node).take(REACH) {
        let found = match tree.kind(up) {
            Kind::Boolean => {
                let operator = tree.child(up, Field::Operator)?;
                let left = tree.child(up, Field::Left).filter(|&left| left != below);
                let is_and = tree.word(operator) == b"and";
                left.and_then(|left| asks_for_platform(values, left, is_and))
            }
            Kind::If | Kind::Elif if tree.field(below) == Field::Consequence => {
                let condition = tree.child(up, Field::Condition);
                condition.and_then(|condition| asks_for_platform(values, condition, true))
            }
            Kind::Conditional => match (tree.ordinal(below), tree.nth(up, 1)) {
                (0, Some(condition)) => asks_for_platform(values, condition, true),
                (2, Some(condition)) => asks_for_platform(values, condition, false),
                _ => None,
            },
            Kind::Block => left_before(values, up, below),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        below = up;
    }
    None
}

/// The question for a platform without which a block is left before a statement: `if not is_cuda(): return False`.
fn left_before(values: &Values<'_>, block: NodeId, statement: NodeId) -> Option<String> {
    let tree = &values.unit.module.tree;
    let mut before = tree
        .children(block)
        .take_while(|&one| one != statement)
        .filter(|&one| tree.kind(one) == Kind::If);
    before.find_map(|one| {
        let condition = tree.child(one, Field::Condition)?;
        leaves(&values.unit, one).then(|| asks_for_platform(values, condition, false))?
    })
}

/// The question for a platform in a condition that is surely true where the value of the condition is `holds`.
fn asks_for_platform(values: &Values<'_>, condition: NodeId, holds: bool) -> Option<String> {
    let tree = &values.unit.module.tree;
    let inner = || tree.nth(condition, 0);
    let name = match tree.kind(condition) {
        Kind::Parenthesized => return asks_for_platform(values, inner()?, holds),
        Kind::Not => return asks_for_platform(values, inner()?, !holds),
        Kind::Boolean => {
            let operator = tree.child(condition, Field::Operator)?;
            let is_sure = (tree.word(operator) == b"and") == holds;
            let mut sides = tree.children(condition).filter(|_| is_sure);
            return sides.find_map(|side| asks_for_platform(values, side, holds));
        }
        Kind::Call => {
            let callee = tree.child(condition, Field::Function)?;
            let arguments = tree.child(condition, Field::Arguments)?;
            // A question with arguments is about something else than the platform.
            tree.nth(arguments, 0).is_none().then_some(callee)?
        }
        Kind::Identifier => condition,
        _ => return None,
    };
    if !holds {
        return None;
    }
    let last = values.unit.module.last_name(name).to_ascii_lowercase();
    let last = String::from_utf8_lossy(&last).into_owned();
    let plain = last.trim_start_matches('_');
    let is_question = plain.split('_').next().is_some_and(|first| {
        let mut asks = values.gpus.asking.asks.iter();
        asks.any(|one| one == first)
    });
    let known = values.gpus.deciding.cuda.iter().any(|one| one == plain)
        || is_question && mentions_others(&values.unit, plain.as_bytes());
    // A question that the port makes say yes leads MUSA there.
    let leads = known && answer(values, condition) != Some(true);
    leads.then(|| values.unit.shown(tree.range(condition)))
}

/// Whether a call decides whether a test runs: `pytest.mark.skipif(…)`.
pub(super) fn guards_test(values: &Values<'_>, call: NodeId) -> bool {
    let word = values.unit.module.callee_word(call).to_ascii_lowercase();
    has(&values.unit.python_values().availability.guards, &word)
}
