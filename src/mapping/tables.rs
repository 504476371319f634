//! The tables of a run: built-in rows and the user's, indexed for lookup by name.

use std::sync::OnceLock;

use super::loader::{MappingError, Row, Section, Stem};

/// A table that the user hands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// The file's name, for messages.
    pub file: String,
    /// Its whole text.
    pub text: String,
}

/// The mapping tables of a run.
#[derive(Debug, Default)]
pub struct Tables {
    rows: Vec<Row>,
    stems: Vec<Stem>,
}

impl Tables {
    /// The tables that come with the program, decoded on first use.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Tables> = OnceLock::new();
        BUILTIN.get_or_init(Self::default)
    }

    /// The built-in tables with the user's laid over them, in order: a later one wins.
    ///
    /// # Errors
    /// The first fault of a table, with its file and line.
    pub fn with_overlays(_overlays: &[Overlay]) -> Result<Self, MappingError> {
        Ok(Self::default())
    }

    /// The row for exactly this name.
    pub fn get(&self, _section: Section, _key: &[u8]) -> Option<&Row> {
        None
    }

    /// The row for an included path: the exact one, else the longest row that ends in `/` and
    /// starts the path, whose `to` takes that part's place.
    pub fn header(&self, _path: &str) -> Option<&Row> {
        None
    }

    /// Whether the user forbids translating this name.
    pub fn is_forbidden(&self, _section: Section, _key: &[u8]) -> bool {
        false
    }

    /// The rows of a section, sorted by name.
    pub fn rows(&self, _section: Section) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// The pieces of names that change by rule, longest first.
    pub fn stems(&self) -> &[Stem] {
        &self.stems
    }

    /// The version of the built-in tables.
    pub fn version() -> &'static str {
        "0"
    }
}
