//! A file of the project: as it comes in, and as the other files may know it.

use super::facts::Facts;
use crate::classify::Class;
use crate::diagnostic::KeptReason;

/// A file as it is handed to the project.
#[derive(Clone, Debug)]
pub struct Input {
    /// Path relative to the root, with `/`; bytes that are not UTF-8 replaced.
    pub path: String,
    /// What it is.
    pub class: Class,
    /// Its content, where it may matter: C++, and files that may name sources.
    pub text: Option<Vec<u8>>,
    /// Whether it is translated in this run. The others are read for what they say.
    pub selected: bool,
    /// Where a folder layout puts it, if it moves.
    pub moved: Option<String>,
}

/// What happens to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is translated.
    Ported,
    /// It goes over as it is, for a reason that is reported.
    Left(KeptReason),
    /// It goes over as it is: nothing in it is C++.
    Copied,
}

/// One file of the project.
#[derive(Debug)]
pub struct Source {
    /// Path relative to the root.
    pub path: String,
    /// The path that it gets.
    pub output: String,
    /// What it is.
    pub class: Class,
    /// Its content, for C++.
    pub text: Option<Vec<u8>>,
    /// Whether it belongs to a library that the tree carries along.
    pub carried: bool,
    /// What happens to it.
    pub standing: Standing,
    /// What it says to the others.
    pub facts: Facts,
    /// For each include, the file of the tree that it means.
    pub resolved: Vec<Option<usize>>,
}
