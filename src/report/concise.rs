//! One line for each finding, as editors and CI logs read it.

use std::io::{self, Write};

use crate::diagnostic::Finding;

/// Write `path:line:column: severity[CODE]: message` for each finding.
///
/// # Errors
/// When `out` can't take it.
pub fn concise(_findings: &[Finding], _out: &mut dyn Write) -> io::Result<()> {
    unimplemented!()
}
