//! The way that MUSA takes through statements.

use crate::python::gpus::answers::answer;
use crate::python::gpus::values::Values;
use crate::python::leaving::is_exit;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many statements inside statements are followed, and how many of one block.
const NESTED: usize = 8;
const STATEMENTS: usize = 256;

/// How many arms of one `if` are followed.
const ARMS: usize = 64;

/// Where the way through some statements ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Behind them.
    GoesOn,
    /// At this statement, which raises or ends the program.
    Stops(NodeId),
    /// At this statement, which returns or leaves a loop.
    Leaves(NodeId),
    /// Nobody knows.
    Unknown,
}

/// The ends of all ways through some statements.
#[derive(Default, Debug)]
pub struct Ends {
    /// Where ways end, and whether a question decided that MUSA gets there.
    pub at: Vec<(Way, bool)>,
    /// Whether nobody knows where one of the ways ends.
    pub is_unknown: bool,
    /// Whether a way goes on behind the statements, and whether a question decided that.
    pub goes_on: Option<bool>,
}

/// The way through the statements of a block, or through parts of an `if`.
pub fn way(values: &Values<'_>, statements: &[NodeId]) -> Way {
    let found = ends(values, statements);
    match (found.at.as_slice(), found.goes_on) {
        _ if found.is_unknown => Way::Unknown,
        ([], _) => Way::GoesOn,
        (&[(only, _)], None) => only,
        _ => Way::Unknown,
    }
}

/// The ends of all ways through the statements of a block, or through parts of an `if`.
pub fn ends(values: &Values<'_>, statements: &[NodeId]) -> Ends {
    ways_through(values, statements, false, NESTED)
}

/// The parts of an `if` behind one of its parts: `elif`s and the `else`.
pub(super) fn parts_behind(values: &Values<'_>, part: NodeId) -> Vec<NodeId> {
    let tree = &values.unit.module.tree;
    let is_part = |&one: &NodeId| matches!(tree.kind(one), Kind::Elif | Kind::Else);
    match (tree.kind(part), tree.parent(part)) {
        (Kind::If, _) => tree.later_arms(part).take(ARMS).collect(),
        (Kind::Elif, Some(whole)) => {
            let behind = tree.children(whole).skip_while(|&one| one != part).skip(1);
            behind.filter(is_part).take(ARMS).collect()
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

/// The ways through statements; `asked` says whether a question decided that MUSA gets to them.
fn ways_through(
    values: &Values<'_>,
    statements: &[NodeId],
    is_behind_question: bool,
    depth: usize,
) -> Ends {
    let mut found = Ends::default();
    let Some(depth) = depth.checked_sub(1) else {
        found.is_unknown = true;
        return found;
    };
    let tree = &values.unit.module.tree;
    let mut is_behind_question = is_behind_question;
    let mut left = statements;
    while let Some((&statement, behind)) = left.split_first() {
        left = behind;
        let inner = match tree.kind(statement) {
            Kind::If => {
                let mut arms = vec![statement];
                arms.extend(parts_behind(values, statement));
                of_arms(values, &arms, is_behind_question, depth)
            }
            // Parts of an `if` by themselves.
            Kind::Elif | Kind::Else => {
                let is_part = |&&one: &&NodeId| matches!(tree.kind(one), Kind::Elif | Kind::Else);
                let further = behind.iter().take_while(is_part).count();
                let (parts, rest) = behind.split_at(further);
                left = rest;
                let arms: Vec<NodeId> = std::iter::once(statement)
                    .chain(parts.iter().copied())
                    .collect();
                of_arms(values, &arms, is_behind_question, depth)
            }
            Kind::With => ways_through(
                values,
                &statements_of(values, statement),
                is_behind_question,
                depth,
            ),
            Kind::For | Kind::While | Kind::Try | Kind::Match => {
                let mut inside = tree.below(statement);
                found.is_unknown |=
                    inside.any(|one| matches!(tree.kind(one), Kind::Return | Kind::Raise));
                continue;
            }
            _ => match end(values, statement) {
                Some(end) => {
                    found.at.push((end, is_behind_question));
                    return found;
                }
                None => continue,
            },
        };
        found.at.extend(inner.at);
        found.is_unknown |= inner.is_unknown;
        match inner.goes_on {
            Some(now) => is_behind_question = now,
            None => return found,
        }
    }
    found.goes_on = Some(is_behind_question);
    found
}

/// The ways through the arms of a chain of `if`.
fn of_arms(values: &Values<'_>, arms: &[NodeId], is_behind_question: bool, depth: usize) -> Ends {
    let tree = &values.unit.module.tree;
    let mut found = Ends::default();
    if arms.len() >= ARMS {
        found.is_unknown = true;
        return found;
    }
    let mut is_behind_question = is_behind_question;
    let goes_on = |found: &mut Ends, now: Option<bool>| {
        if let Some(now) = now {
            found.goes_on = Some(found.goes_on.unwrap_or(false) || now);
        }
    };
    for &arm in arms {
        let condition = tree.child(arm, Field::Condition);
        let holds = match condition {
            Some(condition) => answer(values, condition),
            None => Some(true),
        };
        is_behind_question |= condition.is_some() && holds.is_some();
        if holds == Some(false) {
            continue;
        }
        let inner = ways_through(
            values,
            &statements_of(values, arm),
            is_behind_question,
            depth,
        );
        found.at.extend(inner.at);
        found.is_unknown |= inner.is_unknown;
        goes_on(&mut found, inner.goes_on);
        if holds == Some(true) {
            return found;
        }
    }
    goes_on(&mut found, Some(is_behind_question));
    found
}

/// How a statement ends the way, if it does.
fn end(values: &Values<'_>, statement: NodeId) -> Option<Way> {
    let tree = &values.unit.module.tree;
    match tree.kind(statement) {
        Kind::Raise => Some(Way::Stops(statement)),
        Kind::Return => Some(Way::Leaves(statement)),
        Kind::Assert => {
            let holds = tree.nth(statement, 0).and_then(|test| answer(values, test));
            (holds == Some(false)).then_some(Way::Stops(statement))
        }
        _ if is_exit(&values.unit, statement) => Some(Way::Stops(statement)),
        _ => tree
            .leaves_loop(statement)
            .then_some(Way::Leaves(statement)),
    }
}
