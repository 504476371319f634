//! The facts about the values of a tree that are solved so far.

use super::purpose::Purpose;
use super::role::RoleEvidence;
use super::solver::SolvedFacts;

/// The facts about the slots of a tree, shared by all files of a run.
#[derive(Debug, Default)]
pub struct Summaries {
    pub(super) roles: SolvedFacts<RoleEvidence>,
    pub(super) platform_names: SolvedFacts<bool>,
    /// Whether what a variable holds may be something else than an object of `PyTorch`'s.
    pub(super) may_be_anothers: SolvedFacts<bool>,
    /// The purposes of the answers to questions for a GPU.
    pub purposes: SolvedFacts<Purpose>,
}
