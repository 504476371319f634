//! Asks a Python something, by a script that is part of the program.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::Environment;
use super::program::{Call, End};
use crate::mapping::machine::MachineTable;

/// What stands before each script: it defines `answer(value)`.
const BEGIN: &str = include_str!("begin.py");

/// Why a Python gave no answer.
#[derive(Debug, Error)]
pub enum PythonError {
    /// It ended without one.
    #[error("{end}{}", .last.as_ref().map(|last| format!(": {last}")).unwrap_or_default())]
    Ended {
        /// How it ended.
        end: End,
        /// The last line of its errors.
        last: Option<String>,
    },
    /// Its answer can't be read.
    #[error("its answer can't be read: {0}")]
    Answer(#[from] serde_json::Error),
}

/// The Python that a user gets who types its name: the one that is given, else the first on the PATH.
pub fn find(argument: Option<&Path>, environment: &Environment) -> Option<PathBuf> {
    if let Some(argument) = argument {
        return environment.program(&argument.to_string_lossy());
    }
    let names = &MachineTable::builtin().python.programs;
    names.iter().find_map(|name| environment.program(name))
}

/// Run a script in a process of its own (`-I`: the current folder brings no modules), with arguments in
/// `sys.argv[1:]`; what it hands to `answer(value)` comes back.
///
/// # Errors
/// How the process ended otherwise.
pub fn ask<T: DeserializeOwned>(
    python: &Path,
    script: &str,
    arguments: &[&str],
    environment: &Environment,
    limit: Duration,
) -> Result<T, PythonError> {
    let answer = Call::new(python, environment)
        .arguments(["-I", "-c", &format!("{BEGIN}\n{script}")])
        .arguments(arguments)
        .within(limit)
        .run();
    if answer.is_success() {
        return Ok(serde_json::from_slice(&answer.out)?);
    }
    let last = answer.last_error();
    Err(PythonError::Ended {
        end: answer.end,
        last,
    })
}
