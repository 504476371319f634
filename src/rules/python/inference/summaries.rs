//! The facts about the values of a tree that are solved so far.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::facts::slot::Slot;
use super::facts::solver::SolvedFacts;
use super::project_names::word_source::WordSource;
use super::purpose::Purpose;
use super::role::RoleEvidence;
use super::uses::shared_answers::NameAnswers;
use torchada_project::python::EditDependence;

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
    own_platforms: OnceLock<(FxHashSet<Slot>, bool)>,
    looks: EditDependence,
    pub(super) elsewhere: NameAnswers,
    /// Whether what a variable holds may be something else than an object of `PyTorch`'s.
    pub(super) may_be_anothers: SolvedFacts<bool>,
    /// Where the words come from that slots hold.
    pub(super) word_sources: SolvedFacts<WordSource>,
    /// The purposes of the answers to questions for a GPU.
    pub purposes: SolvedFacts<Purpose>,
}

impl Summaries {
    /// Nothing solved yet. `looks` tells which facts depend on the module that somebody edits.
    pub fn new(looks: &EditDependence) -> Self {
        Self {
            roles: SolvedFacts::new(looks),
            to_torch: SolvedFacts::new(looks),
            imported: SolvedFacts::new(looks),
            keys: SolvedFacts::new(looks),
            own_platforms: OnceLock::new(),
            looks: looks.clone(),
            elsewhere: NameAnswers::new(looks),
            may_be_anothers: SolvedFacts::new(looks),
            word_sources: SolvedFacts::new(looks),
            purposes: SolvedFacts::new(looks),
        }
    }

    /// Forget what depends on the module that somebody edits, since it has another text now.
    pub fn forget_edited(&mut self) {
        self.roles.forget_edited();
        self.to_torch.forget_edited();
        self.imported.forget_edited();
        self.keys.forget_edited();
        self.own_platforms = self
            .own_platforms
            .take()
            .filter(|(_, looked)| !looked)
            .map_or_else(OnceLock::new, OnceLock::from);
        self.elsewhere.forget_edited();
        self.may_be_anothers.forget_edited();
        self.word_sources.forget_edited();
        self.purposes.forget_edited();
    }

    /// The slots of the project's own names for platforms.
    pub(super) fn own_platforms(&self, find: impl FnOnce() -> FxHashSet<Slot>) -> &FxHashSet<Slot> {
        let (found, looked) = self.own_platforms.get_or_init(|| self.looks.during(find));
        self.looks.again(*looked);
        found
    }
}
