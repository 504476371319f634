//! The closing summary.

use std::io::{self, Write};

use super::Report;

/// What the closing summary says besides the report.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// Where the report was written.
    pub report: Option<String>,
    /// Where the manifest was written.
    pub manifest: Option<String>,
    /// Whether nothing was to be written.
    pub dry_run: bool,
}

/// Write the summary that ends a run. `report` must be sorted.
///
/// # Errors
/// When `out` can't take it.
pub fn human(_report: &Report, _closing: &Closing, _out: &mut dyn Write) -> io::Result<()> {
    unimplemented!()
}
