//! What a command has of the world outside: where it reads and writes, and the machine.

use std::io;
use std::io::Write;

use terminal_size::{Width, terminal_size};

use crate::machine::Environment;
use crate::progress::Progress;

/// The streams that a command reads and writes, and what the environment says.
pub struct Streams<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Messages.
    pub err: &'a mut dyn Write,
    /// How wide the terminal is that results go to; `None` where they go elsewhere.
    pub out_columns: Option<usize>,
    /// How wide the terminal is that messages go to; `None` where they go elsewhere.
    pub err_columns: Option<usize>,
    /// Standard input.
    pub input: &'a mut dyn io::Read,
    /// Shows how far the run is.
    pub progress: &'a dyn Progress,
    /// What the environment says.
    pub environment: &'a Environment,
}

/// How many columns the terminal has.
pub fn columns(environment: &Environment) -> Option<usize> {
    let from_environment = environment
        .text("COLUMNS")
        .and_then(|text| text.parse().ok());
    from_environment.or_else(|| terminal_size().map(|(Width(columns), _)| usize::from(columns)))
}
