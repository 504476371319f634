//! The user's settings about a project.

use super::Policy;

/// The settings that decide what a project is.
#[derive(Clone, Debug)]
pub struct ProjectOptions {
    /// The name of the tree's folder, under which Python imports it where it is a package; empty where there is none.
    pub folder: String,
    /// When files get new endings.
    pub rename: Policy,
    /// Folders that includes are looked up in first, relative to the root.
    pub include_roots: Vec<String>,
    /// The treatment of libraries that the tree carries along.
    pub carried: Carry,
    /// Whether parts that build for MUSA already are translated like the rest.
    pub ports_musa_builds: bool,
    /// Whether C++ is translated; otherwise it stays, with its names.
    pub translate_cpp: bool,
}

/// The treatments of a library that the tree carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// The library stays whole.
    Keep,
    /// The library stays whole, and the code uses MUSA's counterpart where that has every header that is used.
    Swap,
    /// The library is translated like the rest.
    Port,
}
