//! Tables that a user hands in, and the heads of all tables.

use std::borrow::Cow;

/// A table that the user hands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// The file's name, for messages.
    pub file: String,
    /// Its whole text. Keys that are no part of a table are left alone: whoever read the file has looked at
    /// them, and a configuration file with tables in it has others.
    pub text: String,
}

/// A table's head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// `cudart`
    pub id: Cow<'static, str>,
    /// What the library is called.
    pub title: Cow<'static, str>,
    /// Whether names that only the prefix rule speaks for are renamed.
    pub proven: bool,
}
