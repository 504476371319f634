//! Other platforms beside CUDA.

use super::PythonUnit;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// Who stands beside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Nobody: the value is CUDA's because the project knows nothing else.
    Nobody,
    /// Other platforms: CUDA is one choice among several.
    Others,
    /// MUSA is there already.
    Target,
}

/// Who stands beside a value in its list, dictionary, `match` or chain of `if`.
pub fn beside(unit: &PythonUnit<'_>, of: &Use) -> Beside {
    among(unit, neighbours(unit, of))
}

/// The values beside one in its list, dictionary, `match`, chain of `if` or choices.
pub fn neighbours(unit: &PythonUnit<'_>, of: &Use) -> impl Iterator<Item = Literal> {
    let choices = choices(unit, of);
    let allowed = super::options::allowed(unit, of);
    let near = unit.module.beside(of).into_iter();
    near.chain(choices).chain(allowed).chain(cases(unit, of))
}

/// The values of the other cases that a test is run with: `[pytest.param("cuda", marks=…), …]`.
fn cases(unit: &PythonUnit<'_>, of: &Use) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let is_case = |node| tree.kind(node) == Kind::Call && unit.module.callee_word(node) == b"param";
    let (item, place) = match of.consumer {
        Consumer::Argument {
            call,
            position: Some(position),
        } if is_case(call) => (Some(call), position),
        _ => (of.items().next(), 0),
    };
    let list = item.and_then(|item| tree.parent(item));
    let items = list.into_iter().flat_map(|list| tree.children(list));
    items
        .take(CASES)
        .filter_map(|item| {
            let value = if is_case(item) {
                tree.nth(tree.child(item, Field::Arguments)?, place)?
            } else {
                item
            };
            Literal::read(tree, value)
        })
        .collect()
}

/// Whose names are among the literals.
pub fn among(unit: &PythonUnit<'_>, literals: impl Iterator<Item = Literal>) -> Beside {
    let words = &unit.positions().vendors;
    let mut found = Beside::Nobody;
    for literal in literals {
        let text = String::from_utf8_lossy(literal.value()).to_ascii_lowercase();
        // `xpu:0` is one, too.
        let word = text.split(':').next().unwrap_or_default();
        if words.target.iter().any(|one| one == word) {
            return Beside::Target;
        }
        if words.others.iter().any(|one| one == word) {
            found = Beside::Others;
        }
    }
    found
}

/// The choices of an option whose default the value is.
fn choices(unit: &PythonUnit<'_>, of: &Use) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let Consumer::Keyword { call, name } = of.consumer else {
        return Vec::new();
    };
    let list = tree.parent(name).and_then(|argument| tree.parent(argument));
    let list = list.filter(|_| matches!(tree.word(name), b"default" | b"const"));
    let arguments = list.into_iter().flat_map(|list| tree.children(list));
    let choices = arguments.filter(|&one| {
        tree.kind(call) == Kind::Call
            && tree
                .child(one, Field::Name)
                .is_some_and(|name| tree.word(name) == b"choices")
    });
    choices
        .filter_map(|one| tree.child(one, Field::Value))
        .flat_map(|value| tree.children(value))
        .filter_map(|one| Literal::read(tree, one))
        .collect()
}

/// How many cases of a test are looked at.
const CASES: usize = 256;

/// How far the search for the condition around a name goes, and through how many names in it.
const REACH: usize = 64;
const NAMES: usize = 512;

/// Whether the condition, or the chain of `if`, in which a name stands speaks of another platform.
pub fn asked_for_beside(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let words = &unit.positions().vendors;
    let around = tree
        .ancestors(node)
        .take(REACH)
        .take_while(|&one| {
            !matches!(
                tree.kind(one),
                Kind::Block | Kind::Module | Kind::Function | Kind::Class
            )
        })
        .last();
    let Some(around) = around else { return false };
    let names_one = |node: NodeId| {
        let text = match tree.kind(node) {
            Kind::Identifier => String::from_utf8_lossy(tree.word(node)).into_owned(),
            Kind::Str => match Literal::read(tree, node) {
                Some(literal) => String::from_utf8_lossy(literal.value()).into_owned(),
                None => return false,
            },
            _ => return false,
        };
        let text = text.to_ascii_lowercase();
        let mut parts = text.split('_');
        parts.any(|part| {
            words
                .others
                .iter()
                .chain(&words.target)
                .any(|one| one == part)
        })
    };
    // Only the conditions of a chain count, not what is done in it.
    let conditions = tree
        .children(around)
        .filter(|&part| tree.kind(part) != Kind::Block);
    let mut names = conditions.flat_map(|part| {
        let below = tree.below(part).take(NAMES);
        std::iter::once(part).chain(below)
    });
    names.any(names_one)
}
