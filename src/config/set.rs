//! A value of a setting, and where the value came from.

use std::fmt;

/// The place that a value of a setting came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Nobody set it: the default holds.
    #[default]
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
    /// What was found on this machine, in words.
    Machine(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { file, line } => write!(f, "{file}:{line}"),
            Self::Argument => f.write_str("command line"),
            Self::Machine(found) => f.write_str(found),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set<T> {
    /// The value that holds.
    pub value: T,
    /// Where it came from.
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

    /// This value, or that of the command line if there is one.
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
    /// Apply `change` to the value and keep its origin.
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Set<U> {
        Set {
            value: change(self.value),
            origin: self.origin,
        }
    }
}
