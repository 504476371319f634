//! Where a command reads and writes.

use std::io;
use std::io::Write;

use crate::progress::Progress;

/// The streams that a command reads and writes.
pub struct Streams<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// Standard input.
    pub input: &'a mut dyn io::Read,
    /// Shows how far the run is.
    pub progress: &'a dyn Progress,
}
