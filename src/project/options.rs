//! The user's settings about a project.

use torchada_mapping::{Rename, Vendored};

/// The settings that decide what a project is.
#[derive(Clone, Debug)]
pub struct ProjectOptions {
    /// The name of the tree's folder, under which Python imports it where it is a package; empty where there is none.
    pub folder: String,
    /// When files get new endings.
    pub rename: Rename,
    /// Folders that includes are looked up in first, relative to the root.
    pub include_roots: Vec<String>,
    /// The treatment of libraries that the tree carries along.
    pub vendored: Vendored,
    /// Whether parts that build for MUSA already are translated like the rest.
    pub ports_musa_builds: bool,
    /// Whether C++ is translated; otherwise it stays, with its names.
    pub translate_cpp: bool,
}
