//! What a run would do, rule by rule.

use std::io::{self, Write};

use crate::mapping::Evidence;

/// One edit, with the line that it is on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditLine {
    /// The rule's name.
    pub rule: &'static str,
    /// What is known of the mapping behind it.
    pub evidence: Option<Evidence>,
    /// The file, as reports show it.
    pub path: String,
    /// The 1-based line.
    pub line: usize,
    /// The whole line before, without its line end.
    pub before: Vec<u8>,
    /// The line after.
    pub after: Vec<u8>,
}

/// Write the edits grouped by rule and evidence: counts, and up to `examples` lines each.
///
/// # Errors
/// When `out` can't take it.
pub fn by_rule(_edits: &[EditLine], _examples: usize, _out: &mut dyn Write) -> io::Result<()> {
    unimplemented!()
}
