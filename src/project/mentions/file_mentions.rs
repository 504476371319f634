//! A file and its mentions of sources.

use crate::facts::Mention;

/// A file with its mentions of sources.
#[derive(Clone, Debug)]
pub struct Mentioning {
    /// Index of the file.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// Whether it is a file of `CMake`'s.
    pub is_cmake: bool,
    /// Whether it is Python.
    pub is_python: bool,
    /// Whether its mentions can follow what they name.
    pub follows: bool,
    /// The mentions.
    pub mentions: Vec<Mention>,
}
