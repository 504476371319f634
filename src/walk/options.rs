//! The options of a walk, and the errors that prevent one.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::config::Settings;

/// Settings that decide which files a walk takes.
#[derive(Clone, Debug)]
pub struct WalkOptions<'a> {
    /// The input's root folder.
    pub root: &'a Path,
    /// The place of the output, which is never input.
    pub output: Option<&'a Path>,
    /// The user's exclusion globs, written as in a `.gitignore` at `exclude_base`.
    pub exclude: &'a [String],
    /// The folder that the globs are relative to.
    pub exclude_base: &'a Path,
    /// Whether git and ignore files have no say.
    pub no_ignore: bool,
}

impl<'a> WalkOptions<'a> {
    /// The options of a walk of the tree at `root`, by the settings.
    pub fn of(settings: &'a Settings, root: &'a Path) -> Self {
        Self {
            root,
            output: settings.mode.output_folder(),
            exclude: &settings.exclude.value,
            exclude_base: &settings.base,
            no_ignore: settings.no_ignore,
        }
    }
}

/// Why a tree can't be listed at all.
#[derive(Debug, Error)]
pub enum WalkError {
    /// The root is missing or can't be read.
    #[error("can't read the input {}", path.display())]
    Root {
        /// The root as the user typed it.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An exclusion glob is malformed.
    #[error("bad glob `{glob}` in `exclude`: {message}")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
}
