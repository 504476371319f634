//! The facts about the values of a tree that are solved so far.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::attribute_owners::AttributeOwners;
use super::elsewhere::Elsewhere;
use super::purpose::Purpose;
use super::role::RoleEvidence;
use super::slot::Slot;
use super::solver::SolvedFacts;

/// The facts about the slots of a tree, shared by all files of a run.
#[derive(Debug, Default)]
pub struct Summaries {
    pub(super) roles: SolvedFacts<RoleEvidence>,
    /// Whether the value of a slot gets to `PyTorch` as a device.
    pub(super) to_torch: SolvedFacts<bool>,
    /// Whether a module is imported by the name that a slot holds.
    pub(super) imported: SolvedFacts<bool>,
    /// Whether something of the project's is found by the value of a slot.
    pub(super) keys: SolvedFacts<bool>,
    pub(super) own_platforms: OnceLock<FxHashSet<Slot>>,
    pub(super) attribute_owners: AttributeOwners,
    pub(super) elsewhere: Elsewhere,
    /// Whether what a variable holds may be something else than an object of `PyTorch`'s.
    pub(super) may_be_anothers: SolvedFacts<bool>,
    /// The purposes of the answers to questions for a GPU.
    pub purposes: SolvedFacts<Purpose>,
}
