//! What a port came to.

use crate::cli::Exit;
use crate::report::Report;

/// What a port came to.
pub(super) struct Written {
    /// How the run ends.
    pub(super) exit: Exit,
    /// Its report, where it wrote a tree.
    pub(super) report: Option<Report>,
}

impl From<Exit> for Written {
    fn from(exit: Exit) -> Self {
        Self { exit, report: None }
    }
}
