//! The way that MUSA takes through statements.

use super::super::answers::answer;
use super::super::values::Values;
use crate::syntax::python::{Field, Kind, NodeId};

/// How many statements inside statements are followed, and how many of one block.
const NESTED: usize = 8;
const STATEMENTS: usize = 256;

/// Where the way through some statements ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Way {
    /// Behind them.
    GoesOn,
    /// At this statement, which raises or ends the program.
    Stops(NodeId),
    /// At this statement, which returns or leaves a loop.
    Leaves(NodeId),
    /// Nobody knows.
    Unknown,
}

/// The way through the statements of a block, or through parts of an `if`.
pub(in super::super) fn way(values: &Values<'_>, statements: &[NodeId]) -> Way {
    through(values, statements, NESTED)
}

/// The parts of an `if` behind one of its parts: `elif`s and the `else`.
pub(in super::super) fn parts_behind(values: &Values<'_>, part: NodeId) -> Vec<NodeId> {
    let tree = &values.unit.module.tree;
    let is_part = |&one: &NodeId| matches!(tree.kind(one), Kind::Elif | Kind::Else);
    match (tree.kind(part), tree.parent(part)) {
        (Kind::If, _) => tree.children(part).filter(is_part).collect(),
        (Kind::Elif, Some(whole)) => {
            let behind = tree.children(whole).skip_while(|&one| one != part).skip(1);
            behind.filter(is_part).collect()
        }
        _ => Vec::new(),
    }
}

/// The statements behind a statement in its block.
pub(super) fn statements_behind(values: &Values<'_>, statement: NodeId) -> Vec<NodeId> {
    let tree = &values.unit.module.tree;
    let block = tree
        .parent(statement)
        .filter(|&up| matches!(tree.kind(up), Kind::Block | Kind::Module));
    let inside = block.into_iter().flat_map(|block| tree.children(block));
    let behind = inside.skip_while(|&one| one != statement).skip(1);
    behind.take(STATEMENTS).collect()
}

/// The statements of a block, or of the block that a clause has.
pub(super) fn statements_of(values: &Values<'_>, clause: NodeId) -> Vec<NodeId> {
    let tree = &values.unit.module.tree;
    let block = [Field::Consequence, Field::Body]
        .into_iter()
        .find_map(|field| tree.child(clause, field))
        .unwrap_or(clause);
    tree.children(block).take(STATEMENTS).collect()
}

fn through(values: &Values<'_>, statements: &[NodeId], depth: usize) -> Way {
    let Some(depth) = depth.checked_sub(1) else {
        return Way::Unknown;
    };
    let tree = &values.unit.module.tree;
    for &statement in statements {
        let found = match tree.kind(statement) {
            Kind::Raise => Way::Stops(statement),
            Kind::Return => Way::Leaves(statement),
            Kind::Assert => match tree.nth(statement, 0).map(|test| answer(values, test)) {
                Some(Some(false)) => Way::Stops(statement),
                _ => Way::GoesOn,
            },
            Kind::If | Kind::Elif => by_condition(values, statement, depth),
            // An `else` is only reached where nothing before it was taken.
            Kind::Else | Kind::With => {
                let inner = statements_of(values, statement);
                match through(values, &inner, depth) {
                    Way::GoesOn if tree.kind(statement) == Kind::Else => return Way::GoesOn,
                    found => found,
                }
            }
            Kind::ExpressionStatement => {
                let exits = &values.gpus.none.exits;
                let call = tree.nth(statement, 0);
                let callee = call
                    .filter(|&call| tree.kind(call) == Kind::Call)
                    .and_then(|call| tree.child(call, Field::Function));
                let exits = callee.is_some_and(|callee| {
                    exits
                        .iter()
                        .any(|exit| exit.as_bytes() == tree.word(callee))
                });
                if exits {
                    Way::Stops(statement)
                } else {
                    Way::GoesOn
                }
            }
            Kind::For | Kind::While | Kind::Try | Kind::Match => {
                let mut inside = tree.below(statement);
                let ends = inside.any(|one| matches!(tree.kind(one), Kind::Return | Kind::Raise));
                if ends { Way::Unknown } else { Way::GoesOn }
            }
            _ if leaves_loop(tree.word(statement)) => Way::Leaves(statement),
            _ => Way::GoesOn,
        };
        if found != Way::GoesOn {
            return found;
        }
        // The parts behind an `elif` that is taken are not.
        if tree.kind(statement) == Kind::Elif
            && let Some(Some(true)) = tree
                .child(statement, Field::Condition)
                .map(|condition| answer(values, condition))
        {
            return Way::GoesOn;
        }
    }
    Way::GoesOn
}

/// The way through an `if` with the parts behind it, or through one of these parts.
fn by_condition(values: &Values<'_>, part: NodeId, depth: usize) -> Way {
    let tree = &values.unit.module.tree;
    let condition = tree.child(part, Field::Condition);
    let answer = condition.and_then(|condition| answer(values, condition));
    let inner = || through(values, &statements_of(values, part), depth);
    // Whoever walks through the parts themselves comes to those behind.
    let is_whole = tree.kind(part) == Kind::If;
    let rest = || {
        if is_whole {
            through(values, &parts_behind(values, part), depth)
        } else {
            Way::GoesOn
        }
    };
    match answer {
        Some(true) => inner(),
        Some(false) => rest(),
        None => match (inner(), rest()) {
            (Way::GoesOn, Way::GoesOn) => Way::GoesOn,
            _ => Way::Unknown,
        },
    }
}

/// Whether a statement leaves the loop around it, or this turn of it.
fn leaves_loop(word: &[u8]) -> bool {
    matches!(word, b"continue" | b"break")
}
