//! The other platforms that the conditions around a name test for.

use crate::python::ModuleView;
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{platform, sets_one_of_several};
use torchada_project::replay::Cause;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// How far the search for the condition around a name goes, and through how many names in it.
const REACH: usize = 64;
const NAMES: usize = 512;

/// Whether the condition or the chain of `if` around a name names another platform.
pub fn condition_names_other_platform(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let Some(around) = enclosing_expression(unit, node) else {
        return false;
    };
    let asks = || {
        let inside = conditions(unit, around);
        let mut names = inside.flat_map(|part| with_below(unit, part));
        names.any(|one| platform_in(unit, one) != Alternatives::None)
            || sets_one_of_several(unit, around)
    };
    unit.memo.asks_for_others(unit.place(around), asks)
        || alternatives(unit, around, node) != Alternatives::None
}

/// The platforms that have a branch of their own next to the one that a name in a condition selects. A platform
/// that is tested to be absent (`not is_hip()`) has none.
pub fn alternatives_in_branches(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let Some(around) = enclosing_expression(unit, node) else {
        return Alternatives::None;
    };
    let branches = || {
        let names = conditions(unit, around).flat_map(|part| with_below(unit, part));
        let platforms = names.map(|one| (one, platform_in(unit, one)));
        let tested = platforms.filter(|&(one, platform)| {
            platform != Alternatives::None && !is_negated(unit, one, around)
        });
        tested.fold(Alternatives::None, |found, (_, platform)| {
            found.or(platform)
        })
    };
    let found = unit.memo.branches(unit.place(around), branches);
    found.or(alternatives(unit, around, node))
}

/// The statement or the expression around a name that ends at the next block.
fn enclosing_expression(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    tree.ancestors(node)
        .take(REACH)
        .take_while(|&one| {
            !matches!(
                tree.kind(one),
                Kind::Block | Kind::Module | Kind::Function | Kind::Class | Kind::Decorated
            )
        })
        .last()
}

/// The conditions of a chain of `if`, without the code of its first branch.
fn conditions(unit: &ModuleView<'_>, around: NodeId) -> impl Iterator<Item = NodeId> {
    let tree = &unit.module.tree;
    tree.children(around)
        .filter(|&part| tree.kind(part) != Kind::Block)
}

fn with_below(unit: &ModuleView<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
    unit.module.tree.with_below(node).take(NAMES)
}

fn name(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let tree = &unit.module.tree;
    (tree.kind(node) == Kind::Identifier).then(|| tree.shown(node))
}

fn literal(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let literal = Literal::read(&unit.module.tree, node)?;
    Some(literal.text().into_owned())
}

/// The platform that a name or a string has a word of.
fn platform_in(unit: &ModuleView<'_>, node: NodeId) -> Alternatives {
    let text = match unit.module.tree.kind(node) {
        Kind::Str => literal(unit, node),
        _ => name(unit, node),
    };
    text.map_or(Alternatives::None, |text| named(unit, &text))
}

/// The platform that a name has a word of.
fn named(unit: &ModuleView<'_>, text: &str) -> Alternatives {
    let text = text.to_ascii_lowercase();
    text.split('_').fold(Alternatives::None, |found, part| {
        found.or(platform(unit, part))
    })
}

/// Whether a word of another platform is a part of a name or a text.
pub fn mentions_others(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let mut parts = text.split(|one: char| !one.is_ascii_alphanumeric());
    parts.any(|part| platform(unit, part) == Alternatives::OtherVendors)
}

/// Whether a condition asks for another platform: `is_rocm_available()`, `home == "/opt/rocm"`.
pub fn other_platforms_in(unit: &ModuleView<'_>, condition: NodeId) -> bool {
    let tree = &unit.module.tree;
    with_below(unit, condition).any(|node| match tree.kind(node) {
        Kind::Str => {
            Literal::read(tree, node).is_some_and(|one| mentions_others(unit, one.value()))
        }
        Kind::Identifier => mentions_others(unit, tree.word(node)),
        _ => false,
    })
}

/// Whether the condition is true if the expression at a node is not: `not x`, `x is None`.
fn is_negated(unit: &ModuleView<'_>, node: NodeId, around: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut up = tree.ancestors(node).take_while(|&one| one != around);
    up.any(|one| match tree.kind(one) {
        Kind::Not => true,
        Kind::Comparison => {
            let none = tree.compares_with_none(one);
            match tree.operator(one) {
                b"is" | b"==" => none,
                b"!=" => !none,
                _ => false,
            }
        }
        _ => false,
    })
}

/// The platforms that the neighbouring `if` statements test for, if they are alternatives without an `elif`: each
/// of them returns, or all assign the same name.
fn alternatives(unit: &ModuleView<'_>, statement: NodeId, node: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let block = tree.parent(statement);
    if tree.kind(statement) != Kind::If || is_negated(unit, node, statement) {
        return Alternatives::None;
    }
    let statements = block.into_iter().flat_map(|block| tree.children(block));
    let others = statements
        .take(NAMES)
        .filter(|&one| one != statement && tree.kind(one) == Kind::If);
    let mut found = Alternatives::None;
    for other in others.take(REACH) {
        if !is_alternative(unit, other, statement) {
            found = found.or(does_the_same_for_musa(unit, other, statement));
            continue;
        }
        let Some(condition) = tree.child(other, Field::Condition) else {
            continue;
        };
        for one in with_below(unit, condition) {
            if let Some(text) = name(unit, one)
                && !is_negated(unit, one, other)
            {
                found = found.or(named(unit, &text));
            }
        }
    }
    found
}

/// MUSA, where an `if` asks for MUSA and begins as another one does, but for the platform: `if is_cuda(): seeds["cuda"] = …`,
/// `if is_musa(): seeds["musa"] = …`.
fn does_the_same_for_musa(unit: &ModuleView<'_>, one: NodeId, other: NodeId) -> Alternatives {
    let tree = &unit.module.tree;
    let words = &unit.python_values().vendors;
    if !unit.modules.has_musa() {
        return Alternatives::None;
    }
    let asks_for_musa = tree.child(one, Field::Condition).is_some_and(|condition| {
        let says = crate::python::reach::verdict(unit, condition);
        says.is_some_and(|says| says.holds && says.cause == Cause::BesideMusa)
    });
    // The words of the statement before the platform's, and what stands before it in its word.
    let front = |branch: NodeId, platforms: &[String]| {
        let body = tree.child(branch, Field::Consequence)?;
        let mut before: Vec<(NodeId, String)> = Vec::new();
        for leaf in leaves(unit, body) {
            let text = String::from_utf8_lossy(tree.word(leaf)).to_ascii_lowercase();
            let found = platforms.iter().filter_map(|word| text.find(word.as_str()));
            if let Some(at) = found.min() {
                let in_block = |&one: &NodeId| {
                    let up = tree.parent(one);
                    up.is_some_and(|up| tree.kind(up) == Kind::Block)
                };
                let statement = tree.ancestors(leaf).find(in_block)?;
                before.retain(|&(one, _)| one > statement);
                let words = before.into_iter().map(|(_, word)| word);
                return Some((words.collect::<Vec<_>>(), text.get(..at)?.to_owned()));
            }
            before.push((leaf, text));
        }
        None
    };
    let begins_alike = || {
        let (musas, cudas) = (front(one, &words.target), front(other, &words.own));
        musas.is_some() && musas == cudas
    };
    Alternatives::musa_if(asks_for_musa && begins_alike())
}

/// The words of a piece of code, without its comments.
fn leaves<'u>(unit: &'u ModuleView<'_>, code: NodeId) -> impl Iterator<Item = NodeId> + 'u {
    let tree = &unit.module.tree;
    let inside = tree.below(code).take(NAMES);
    inside.filter(|&one| tree.kind(one) != Kind::Comment && tree.children(one).next().is_none())
}

fn is_alternative(unit: &ModuleView<'_>, one: NodeId, other: NodeId) -> bool {
    let tree = &unit.module.tree;
    let (Some(one), Some(other)) = (tree.last_statement(one), tree.last_statement(other)) else {
        return false;
    };
    let gives = |node| tree.kind(node) == Kind::Return && tree.nth(node, 0).is_some();
    let target = |node| {
        let assignment = tree
            .nth(node, 0)
            .filter(|&inner| matches!(tree.kind(inner), Kind::Assignment | Kind::Augmented))?;
        tree.child(assignment, Field::Left)
            .map(|name| tree.word(name))
    };
    gives(one) && gives(other) || target(one).is_some() && target(one) == target(other)
}
