//! Files that may be renamed, and the mentions that mean them.

use crate::facts::Mention;

/// A file that may be renamed.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index of the file.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// The path that it would get.
    pub renamed: String,
    /// A file that includes it and is not translated.
    pub kept_by: Option<String>,
    /// The build file that may find it by its ending, and is not translated.
    pub scanned_by: Option<String>,
    /// Whether the original stays where it is, so that what names it still finds it.
    pub original_stays: bool,
    /// Whether only scripts of builds read it, as text that is compiled while the program runs.
    pub is_text: bool,
    /// For a link, where it leads: what it leads to and the link are called alike.
    pub leads_to: Option<String>,
}

/// A mention with the files that it means and that may be renamed.
#[derive(Clone, Debug)]
pub struct Link {
    /// The mention.
    pub mention: Mention,
    /// Indices of the files.
    pub members: Vec<usize>,
    /// Whether the mention can follow them.
    pub follows: bool,
}
