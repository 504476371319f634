//! Why answers of MUSA's GPUs are right whatever the code does with them: the module only tries something out, or a condition
//! keeps MUSA away. Lookups in tables and numbers that are handed on are judged by that, and by what they are about.

use super::clues::{kernel_in, words_around};
use super::constants::chooses_numbers;
use super::reasons::Reason;
use super::surroundings::behind_platform_question;
use crate::python::gpus::values::Values;
use crate::python::reach::of_place;
use torchada_mapping::effort::Effort;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Why the answers to all questions of a module are right.
pub(super) fn by_module(values: &Values<'_>) -> Option<Reason> {
    let is_trial = Effort::builtin().is_auxiliary(values.unit.path);
    is_trial.then_some(Reason::Trial)
}

/// The condition that keeps MUSA away from a node.
pub(super) fn excluding_condition(values: &Values<'_>, node: NodeId) -> Option<Reason> {
    let reach = of_place(&values.unit, node);
    match reach.reason() {
        Some(reason) => Some(Reason::Unreached(reason.why.clone())),
        None => behind_platform_question(values, node).map(Reason::Behind),
    }
}

/// Why it is right that a table has no entry for MUSA's GPUs at a node; `fallback` is what is taken instead.
pub fn verdict_on_lookup(
    values: &Values<'_>,
    node: NodeId,
    fallback: Option<NodeId>,
) -> Option<Reason> {
    let words = words_around(values, node);
    let kernel = || kernel_in(values, &words);
    by_module(values)
        .or_else(|| Some(Reason::Kernel(kernel()?.to_owned())))
        .or_else(|| {
            fallback
                .filter(|&one| chooses_numbers(values, &[one]))
                .map(|_| Reason::Tuning)
        })
        .or_else(|| excluding_condition(values, node))
}

/// Why it is right that an expression gives a number of MUSA's.
pub fn verdict_on_number(values: &Values<'_>, node: NodeId) -> Option<Reason> {
    let tree = &values.unit.module.tree;
    let is_returned = || {
        let up = tree.parent_if(node, Kind::Return)?;
        let function = tree.function_around(up)?;
        let name = tree.word(tree.child(function, Field::Name)?);
        values.gpus.kind_of_name(name).map(|_| Reason::Definition)
    };
    by_module(values).or_else(is_returned)
}
