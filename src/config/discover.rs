//! Finds the configuration file: the nearest one from the input upwards.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::ConfigError;
use super::file::{FileConfig, Shape, parse};
use crate::cli::SharedArgs;
use crate::files;
use crate::mapping::safety;

/// Our own file's name.
const OWN: &str = "torchada.toml";
/// The file that we share with Python's tools.
const PYPROJECT: &str = "pyproject.toml";
/// The names of the files that a configuration can stand in.
pub const CONFIG_NAMES: [&str; 2] = [OWN, PYPROJECT];

/// The file that holds for a run: the one that the arguments name, else the nearest from `start`
/// upwards; `None` where there is none, or is to be none.
///
/// # Errors
/// What `start` says, a file that can't be read, and a fault in it.
pub(super) fn holding(
    args: &SharedArgs,
    start: impl FnOnce() -> Result<PathBuf, ConfigError>,
) -> Result<Option<FileConfig>, ConfigError> {
    match &args.config {
        _ if args.no_config => Ok(None),
        Some(path) => named(path).map(Some),
        None => upwards(&start()?),
    }
}

/// The configuration file that holds for what lies in a folder, if there is one.
///
/// # Errors
/// [`ConfigError`] where a file can't be read or is wrong.
pub fn nearest_config(args: &SharedArgs, folder: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let found = holding(args, || Ok(folder.to_owned()))?;
    Ok(found.map(|config| config.path))
}

/// The file at `path`, which the user named.
fn named(path: &Path) -> Result<FileConfig, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let full = super::absolute(path).map_err(unreadable)?;
    let bytes = files::read_named(&full, safety::BYTES_CONFIGURATION).map_err(unreadable)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| unreadable(io::Error::new(ErrorKind::InvalidData, error.utf8_error())))?;
    let shape = if path.file_name().is_some_and(|name| name == PYPROJECT) {
        Shape::PyProject
    } else {
        Shape::Own
    };
    let parsed = parse(&full, &text, shape)?.unwrap_or_else(|| FileConfig {
        path: full,
        ..FileConfig::default()
    });
    Ok(FileConfig {
        is_named: true,
        ..parsed
    })
}

/// The nearest file from `start` upwards; in one folder `torchada.toml` comes first.
fn upwards(start: &Path) -> Result<Option<FileConfig>, ConfigError> {
    for folder in start.ancestors() {
        let own = folder.join(OWN);
        if let Some(text) = read(&own)? {
            return Ok(parse(&own, &text, Shape::Own)?);
        }
        let shared = folder.join(PYPROJECT);
        // Somebody else's broken pyproject.toml, or one that we may not read, is no concern of
        // ours unless it speaks of us.
        if let Ok(text) = files::read_text(&shared, safety::BYTES_CONFIGURATION)
            && text.contains("torchada")
            && let Some(config) = parse(&shared, &text, Shape::PyProject)?
        {
            return Ok(Some(config));
        }
    }
    Ok(None)
}

fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    match files::read_text(path, safety::BYTES_CONFIGURATION) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        }),
    }
}
