//! One message of a build.

use crate::mapping::build_log::LogKind;
use crate::mapping::safety::LOG_PLACES;

/// A place that a message names, as it names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LogPlace {
    /// The path.
    pub path: String,
    /// The 1-based line; 0 where none is named.
    pub line: usize,
    /// The 1-based column, in the unit of whoever printed it; 0 where none is named.
    pub column: usize,
}

/// One message of a build.
#[derive(Clone, Debug)]
pub struct Message {
    /// The line of the log in which it stands first, counted from 1.
    pub log_line: usize,
    /// What it is about.
    pub kind: &'static LogKind,
    /// Its text, with plain quotes.
    pub text: String,
    /// The name that it is about.
    pub name: Option<String>,
    /// Another name that it suggests.
    pub near: Option<String>,
    /// Why, as a note says it.
    pub why: Option<String>,
    /// Where it is.
    pub place: Option<LogPlace>,
    /// Other places that have to do with it, the nearest first: uses of a template, calls of a macro, frames.
    pub trail: Vec<LogPlace>,
    /// The files that include the place's, the nearest first.
    pub included: Vec<LogPlace>,
    /// The object file that it is about.
    pub object: Option<String>,
    /// How often it was printed.
    pub count: usize,
}

impl Message {
    /// Add a place that has to do with it.
    pub(super) fn add(&mut self, place: LogPlace) {
        if self.trail.len() < LOG_PLACES && !self.trail.contains(&place) {
            self.trail.push(place);
        }
    }
}
