//! What a command has of the world outside: where it reads and writes, and the machine.

use std::io;
use std::io::Write;

use crate::machine::Environment;
use crate::progress::Progress;

/// The streams that a command reads and writes, and what the environment says.
pub struct Streams<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// Standard input.
    pub input: &'a mut dyn io::Read,
    /// Shows how far the run is.
    pub progress: &'a dyn Progress,
    /// What the environment says.
    pub environment: &'a Environment,
}
