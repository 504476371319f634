//! The settings of a run, each with where it came from.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::{ConfigError, LayoutPair, Mode};
use crate::cli::{PortArgs, Rename};
use crate::mapping::{Evidence, Overlay};

/// Where a value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// A configuration file.
    File {
        /// The file, as messages name it.
        file: String,
        /// The 1-based line.
        line: usize,
    },
    /// The command line.
    Argument,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { file, line } => write!(f, "{file}:{line}"),
            Self::Argument => f.write_str("command line"),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set<T> {
    /// The value that holds.
    pub value: T,
    /// Who said so.
    pub origin: Origin,
}

impl<T> Set<T> {
    /// A value that nobody set.
    pub fn default_to(value: T) -> Self {
        Self {
            value,
            origin: Origin::Default,
        }
    }

    /// The same, unless the command line says otherwise.
    #[must_use]
    pub fn or_argument(self, argument: Option<T>) -> Self {
        match argument {
            Some(value) => Self {
                value,
                origin: Origin::Argument,
            },
            None => self,
        }
    }
}

/// What happens to a library that the tree carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vendored {
    /// It stays whole, with one finding.
    #[default]
    Keep,
    /// Its includes go to MUSA's counterpart, where that has every header that is used.
    Swap,
}

impl Vendored {
    /// The word in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Swap => "swap",
        }
    }
}

/// What is done with the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// It is written.
    Files,
    /// A diff goes to standard output.
    Diff {
        /// Grouped by rule and evidence, instead of a patch.
        by_rule: bool,
    },
    /// Nothing, but findings and summary.
    Nothing,
}

/// Everything that a run was told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is read and where the result goes.
    pub mode: Mode,
    /// What is done with the result.
    pub write: Write,
    /// The configuration file that holds, absolute.
    pub config_file: Option<PathBuf>,
    /// Globs of files that are not input, as in a `.gitignore` at [`Settings::base`].
    pub exclude: Set<Vec<String>>,
    /// Whether source files get MUSA's endings.
    pub rename: Set<Rename>,
    /// The weakest evidence that is acted upon: a row holds when its evidence is `<=` this.
    pub min_evidence: Set<Evidence>,
    /// What happens to libraries that the tree carries along.
    pub vendored: Set<Vendored>,
    /// Identifiers that are the project's own and never translated.
    pub own_names: Set<BTreeSet<String>>,
    /// The user's table files, absolute or as given on the command line: those of the
    /// configuration first.
    pub mapping: Set<Vec<PathBuf>>,
    /// The tables that stand in the configuration file itself.
    pub inline_tables: Option<Overlay>,
    /// Folders that are ported into others beside them, relative to the root.
    pub layout: Set<Vec<LayoutPair>>,
    /// Folders that includes are looked up in: relative to the root where they lie in it,
    /// absolute otherwise.
    pub include_roots: Set<Vec<PathBuf>>,
    /// Whether git and ignore files have no say in what the input is.
    pub no_ignore: bool,
    /// Whether edits that may change what the program does are applied.
    pub unsafe_edits: bool,
    /// Whether files may be changed that git does not have safe.
    pub force: bool,
    /// Where else the report goes, besides the output's own folder.
    pub report: Option<PathBuf>,
    /// Whether only errors are said.
    pub quiet: bool,
    /// How many files are done at once; `None` for one a core.
    pub jobs: Option<NonZeroUsize>,
    /// The folder that the paths of the configuration are relative to: the configuration file's,
    /// else the input's root.
    pub base: PathBuf,
}

impl Settings {
    /// The settings for `torchada port`: the arguments over the configuration file over the
    /// defaults. Reads the configuration and looks at PATH and OUT; writes nothing.
    ///
    /// # Errors
    /// [`ConfigError`], always before anything is written.
    pub fn port(_args: &PortArgs) -> Result<Self, ConfigError> {
        unimplemented!()
    }

    /// The root of the input, where it is a tree.
    pub fn root(&self) -> Option<&Path> {
        self.mode.root()
    }

    /// The user's tables in the order in which they are laid over the built-in ones: the files
    /// that the configuration names, its inline tables, the files of the command line.
    ///
    /// # Errors
    /// When a file can't be read.
    pub fn overlays(&self) -> Result<Vec<Overlay>, ConfigError> {
        unimplemented!()
    }
}
