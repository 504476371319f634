//! Translations that need not be made again.

use anyhow::Result;

use super::Translated;
use crate::project::Project;

/// Where translations come from that were made before.
pub(in crate::commands) trait Results: Send {
    /// What became of each file of the project, in its order; `None` for a file that is to be
    /// translated now.
    ///
    /// # Errors
    /// Where they are of another project.
    fn known(&mut self, project: &Project) -> Result<Vec<Option<Translated>>>;
}

/// Every file is to be translated.
pub(in crate::commands) struct Nothing;

impl Results for Nothing {
    fn known(&mut self, _project: &Project) -> Result<Vec<Option<Translated>>> {
        Ok(Vec::new())
    }
}
