//! A message with the source that it is about.

use std::io::{self, Write};
use std::ops::Range;

use crate::diagnostic::Severity;

/// One message and the text that it points into.
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// How much it weighs.
    pub severity: Severity,
    /// The code of a finding.
    pub code: Option<&'a str>,
    /// What is wrong.
    pub message: &'a str,
    /// The file, as messages name it.
    pub path: &'a str,
    /// Its whole text.
    pub text: &'a str,
    /// The bytes that are meant.
    pub span: Range<usize>,
    /// What to do about it.
    pub help: Option<&'a str>,
}

/// Write a message with the lines that it points at.
///
/// # Errors
/// When `out` can't take it.
pub fn full(_excerpt: &Excerpt<'_>, _out: &mut dyn Write) -> io::Result<()> {
    unimplemented!()
}
