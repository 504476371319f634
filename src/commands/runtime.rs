//! Starts programs of Python's with the package for run time in place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cli::PythonArg;
use crate::config::{ConfigError, display_path};
use crate::files::OwnState;
use crate::machine::program::{self, Call};
use crate::machine::{Environment, python};
use crate::stub;

/// The folder of the package in this user's own state, before the hash of what is in it.
const UNPACKED: &str = "runtime";

/// Where Python looks for modules before its own.
const PATH: &str = "PYTHONPATH";

/// Which device the package is to use.
pub const DEVICE: &str = "TORCHADA_DEVICE";

/// Has `torch.cuda.is_available` answer for MUSA.
pub const AVAILABLE: &str = "TORCHADA_FORCE_CUDA_AVAILABLE";

/// The program that the package has sources ported by.
const BINARY: &str = "TORCHADA_BINARY";

/// A Python, and the package for run time as it was unpacked.
#[derive(Debug)]
pub struct Runtime {
    /// The Python.
    pub python: PathBuf,
    folder: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Runtime {
    /// Find the Python, and put the package where it can be read.
    ///
    /// # Errors
    /// There is no Python, or the package can't be written.
    pub fn find(argument: &PythonArg, environment: &Environment) -> Result<Self> {
        let python = python::find(argument.python.as_deref(), environment)
            .ok_or_else(|| no_python(argument))?;
        let files: Vec<_> = stub::whole().collect();
        let state = OwnState::open();
        let unpacked = state.and_then(|state| state.unpack(UNPACKED, &files));
        let folder = unpacked
            .context("can't put the package for run time into this user's own folder for state")?;
        let startup = folder.join(stub::STARTUP);
        let path = environment.with_folder(PATH, &startup);
        let path = path.with_context(|| format!("{PATH} can't name {}", display_path(&startup)))?;
        let mut variables = vec![(PATH, path)];
        if environment.variable(BINARY).is_none()
            && let Ok(own) = program::own()
        {
            variables.push((BINARY, own.into_os_string()));
        }
        Ok(Self {
            python,
            folder,
            variables,
        })
    }

    /// With a variable that the package reads.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Have a program take this process's place. Comes back only where it can't be started.
    pub fn replace(
        &self,
        program: &Path,
        arguments: &[OsString],
        environment: &Environment,
    ) -> anyhow::Error {
        let mut call = Call::new(program, environment).arguments(arguments);
        for (name, value) in &self.variables {
            call = call.variable(name, value);
        }
        ConfigError::usage(
            format!(
                "{} can't be started: {}",
                display_path(program),
                call.replace()
            ),
            "name a program, a script of Python's or `-m MODULE`",
        )
        .into()
    }

    /// Have a script of the package, by its path, take this process's place. Comes back only where it can't be started.
    pub fn replace_with_script(
        &self,
        script: &str,
        arguments: &[OsString],
        environment: &Environment,
    ) -> anyhow::Error {
        let mut line = vec![self.folder.join(script).into_os_string()];
        line.extend_from_slice(arguments);
        self.replace(&self.python, &line, environment)
    }
}

fn no_python(argument: &PythonArg) -> ConfigError {
    let what = argument.python.as_deref().map_or_else(
        || "there is no Python on the PATH".to_owned(),
        |argument| format!("there is no program {}", display_path(argument)),
    );
    ConfigError::usage(
        what,
        "--python takes the Python that has torch, such as venv/bin/python",
    )
}
