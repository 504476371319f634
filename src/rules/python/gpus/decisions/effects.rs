//! What the answer to a question decides.

use super::ways::{Way, parts_behind, statements_behind, statements_of, way};
use crate::python::gpus::answers::answer;
use crate::python::gpus::questions::Question;
use crate::python::gpus::values::Values;
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many of the statements behind an `if` that leaves its block are taken for what it decides about.
const BEHIND: usize = 6;

/// What an answer decides.
#[derive(Debug)]
pub(super) enum Effect {
    /// The code that MUSA runs because of the answer, and the code that it leaves out.
    Branch {
        taken: Vec<NodeId>,
        missed: Vec<NodeId>,
        /// The statement, or the expression, that decides.
        at: NodeId,
    },
    /// Whether an assertion holds.
    Assertion { holds: Option<bool>, at: NodeId },
    /// The value of this target.
    Target(NodeId),
    /// What this function returns.
    Returned(NodeId),
    /// An argument of this call; the name of the keyword.
    Argument(NodeId, Option<NodeId>),
    /// Something else.
    Other,
}

/// What the answer to a question decides.
pub(super) fn effect(values: &Values<'_>, question: &Question) -> Effect {
    match question.answer {
        Some(holds) => of_expression(values, question.node, holds),
        None => Effect::Other,
    }
}

/// What an expression decides whose value on MUSA is `holds`.
pub(super) fn of_expression(values: &Values<'_>, expression: NodeId, holds: bool) -> Effect {
    let tree = &values.unit.module.tree;
    let (mut at, mut holds) = (expression, holds);
    while let Some(up) = tree.parent(at) {
        // What else stands beside it may decide by itself.
        let whole = |at| answer(values, at).unwrap_or(holds);
        match tree.kind(up) {
            Kind::Not => holds = !holds,
            Kind::Parenthesized | Kind::Boolean => {}
            Kind::If | Kind::Elif | Kind::While if tree.field(at) == Field::Condition => {
                return branch(values, up, whole(at));
            }
            Kind::Conditional => {
                let ([Some(yes), Some(no)], 1) =
                    ([0, 2].map(|place| tree.nth(up, place)), tree.ordinal(at))
                else {
                    return Effect::Other;
                };
                let (taken, missed) = if whole(at) { (yes, no) } else { (no, yes) };
                return Effect::Branch {
                    taken: vec![taken],
                    missed: vec![missed],
                    at: up,
                };
            }
            Kind::Assert if tree.ordinal(at) == 0 => {
                let holds = answer(values, at);
                return Effect::Assertion { holds, at: up };
            }
            Kind::Assignment if tree.field(at) == Field::Right => {
                let target = tree.child(up, Field::Left);
                return target.map_or(Effect::Other, Effect::Target);
            }
            Kind::Return => {
                let function = tree.function_around(up);
                return function.map_or(Effect::Other, Effect::Returned);
            }
            Kind::KeywordArgument | Kind::ArgumentList => {
                let call = tree.ancestors(at).find(|&one| tree.kind(one) == Kind::Call);
                let keyword = Some(up).filter(|&up| tree.kind(up) == Kind::KeywordArgument);
                let name = keyword.and_then(|keyword| tree.child(keyword, Field::Name));
                return call.map_or(Effect::Other, |call| Effect::Argument(call, name));
            }
            _ => return Effect::Other,
        }
        at = up;
    }
    Effect::Other
}

/// What the condition of an `if` or `elif` decides whose value is `holds`.
fn branch(values: &Values<'_>, part: NodeId, holds: bool) -> Effect {
    let tree = &values.unit.module.tree;
    let inner = statements_of(values, part);
    let mut rest = parts_behind(values, part);
    let (mut taken, mut missed) = (inner, Vec::new());
    let is_chain = !rest.is_empty();
    if !is_chain {
        // A block that is left by its `if` runs on in place of an `else`.
        let whole = match tree.kind(part) {
            Kind::Elif => tree.parent(part).unwrap_or(part),
            _ => part,
        };
        let leaves = !matches!(way(values, &taken), Way::GoesOn);
        if leaves {
            rest = statements_behind(values, whole);
            rest.truncate(BEHIND);
        }
    }
    if holds {
        // What is behind the next part is asked for by questions of its own.
        rest.truncate(if is_chain { 1 } else { BEHIND });
        missed = rest;
    } else {
        std::mem::swap(&mut taken, &mut missed);
        taken = rest;
    }
    Effect::Branch {
        taken,
        missed,
        at: part,
    }
}
