//! Faults of the command line's values and of the configuration file.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use super::Origin;
use crate::mapping::MappingError;
use crate::text::LineIndex;

/// What to ask where a path that the user typed is not there.
const PATH_SEEN: &str = "is the path right, seen from the current folder?";

/// A fault in a configuration file, with the text that shows it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}:{}:{}: {message}", file, self.line(), self.column())]
pub struct Fault {
    /// The file, as messages name it.
    pub file: String,
    /// Its whole text.
    pub text: String,
    /// The bytes of the text that are at fault.
    pub span: Range<usize>,
    /// The fault, as a sentence.
    pub message: String,
    /// Advice on what to write instead.
    pub help: Option<String>,
}

impl Fault {
    /// The 1-based line of the fault.
    pub fn line(&self) -> usize {
        self.position().line
    }

    /// The 1-based column of the fault, in Unicode scalars.
    pub fn column(&self) -> usize {
        self.position().column
    }

    fn position(&self) -> crate::text::Position {
        let text = self.text.as_bytes();
        LineIndex::new(text).position(text, self.span.start)
    }
}

/// Why a run can't start. Nothing is written.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The configuration file says something that it can't.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// A facts file has a fault.
    #[error(transparent)]
    Facts(#[from] MappingError),
    /// A file that the user named can't be read.
    #[error("can't read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// PATH is not there.
    #[error("{} does not exist", .0.display())]
    MissingInput(PathBuf),
    /// PATH is neither a file nor a folder.
    #[error("{} is neither a file nor a folder", .0.display())]
    SpecialInput(PathBuf),
    /// OUT is PATH, or PATH lies in OUT.
    #[error("the output {} would be written over the input {}", output.display(), input.display())]
    OutputIsInput {
        /// The output.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// The folder that would take the output is missing or not a folder.
    #[error("can't write to {}: {reason}", path.display())]
    OutputParent {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Arguments that do not go together.
    #[error("{message}")]
    Usage {
        /// The fault, as a sentence.
        message: String,
        /// Advice on what to write instead.
        help: String,
    },
}

impl ConfigError {
    /// What the user can do about it.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Fault(fault) => fault.help.as_deref(),
            Self::OutputIsInput { .. } => {
                Some("choose another place with -o, or say --in-place to change the input itself")
            }
            Self::OutputParent { .. } => Some("choose a place for the output with -o"),
            Self::Usage { help, .. } => Some(help),
            Self::MissingInput(_) => Some(PATH_SEEN),
            Self::Unreadable { source, .. } if source.kind() == ErrorKind::NotFound => {
                Some(PATH_SEEN)
            }
            Self::SpecialInput(_) => Some(
                "`-` reads standard input, and `--stdin-path NAME` says what file that is: `command | torchada check -`",
            ),
            Self::Unreadable { .. } | Self::Facts(_) => None,
        }
    }

    /// This error, and where a configuration file names what can't be read.
    pub(super) fn named_by(self, key: &str, origin: &Origin) -> Self {
        match (self, origin) {
            (Self::Unreadable { path, source }, Origin::File { .. }) => Self::usage(
                format!("{origin}: `{key}`: can't read {}: {source}", path.display()),
                "paths of a configuration file are seen from its folder",
            ),
            (other, _) => other,
        }
    }

    /// A usage error.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            help: help.into(),
        }
    }
}

impl From<Fault> for ConfigError {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}
