//! Translations that need not be made again.

use std::sync::OnceLock;

use anyhow::Result;

use super::Translated;
use crate::project::digest::Digest;
use crate::project::python::{Asked, Index, Question};
use crate::project::{Lore, Project, Sight};

/// A project as it was read, with what follows from it once somebody asks.
pub(in crate::commands) struct Ground<'p> {
    pub(in crate::commands) project: &'p Project,
    lore: Lore<'p>,
    index: OnceLock<Index<'p>>,
    sight: OnceLock<Sight<'p>>,
}

impl<'p> Ground<'p> {
    pub(super) fn new(project: &'p Project, lore: Lore<'p>) -> Self {
        Self {
            project,
            lore,
            index: OnceLock::new(),
            sight: OnceLock::new(),
        }
    }

    /// What is known before any file is read.
    pub(super) fn lore(&self) -> Lore<'p> {
        self.lore
    }

    /// Its modules of Python.
    pub(in crate::commands) fn index(&self) -> &Index<'p> {
        self.index
            .get_or_init(|| Index::new(self.project, self.lore))
    }

    /// The answer to a question.
    pub(in crate::commands) fn answer(&self, question: &Question<usize>) -> Option<Digest> {
        let answer = self.sight().answer(question);
        answer.or_else(|| self.index().answer(question))
    }

    /// What translations see of it.
    pub(in crate::commands) fn sight(&self) -> &Sight<'p> {
        self.sight.get_or_init(|| Sight::new(self.project))
    }
}

/// Where translations come from that were made before.
pub(in crate::commands) trait Results: Send {
    /// What became of each file of the project, in its order; `None` for a file that is to be
    /// translated now.
    ///
    /// # Errors
    /// Where they are of another project.
    fn known(&mut self, ground: &Ground<'_>) -> Result<Vec<Option<Translated>>>;

    /// Take note of what was translated now: the file, what became of it before names go back, and
    /// what it asked.
    fn made(&mut self, _ground: &Ground<'_>, _made: &[(usize, Translated, Asked)]) {}
}

/// Every file is to be translated.
pub(in crate::commands) struct Nothing;

impl Results for Nothing {
    fn known(&mut self, _ground: &Ground<'_>) -> Result<Vec<Option<Translated>>> {
        Ok(Vec::new())
    }
}
