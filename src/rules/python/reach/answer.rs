//! What a condition says on MUSA.

use super::verdict::Verdict;
use super::{newest_gpus, vendor_question};
use crate::python::ModuleView;
use crate::python::truth::truth;
use torchada_syntax::python::NodeId;

/// How many conditions inside conditions, and names that are set to others, are followed.
const STEPS: usize = 16;

/// What a condition says on MUSA; `None` where that is not known.
pub fn answer(unit: &ModuleView<'_>, condition: NodeId) -> Option<bool> {
    verdict(unit, condition).map(|one| one.holds)
}

/// What a condition says on MUSA, with the platform that it is about.
pub fn verdict(unit: &ModuleView<'_>, condition: NodeId) -> Option<Verdict> {
    truth(unit, condition, STEPS, &|node, _| leaf(unit, node))
}

/// What an expression says that is not made of others.
pub fn leaf(unit: &ModuleView<'_>, node: NodeId) -> Option<Verdict> {
    vendor_question::verdict(unit, node).or_else(|| newest_gpus::verdict(unit, node))
}
