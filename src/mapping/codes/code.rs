//! The codes that findings carry.

use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing has to be done for the port to build.
    Note,
    /// The port may fail to build or behave otherwise; somebody has to look.
    Warning,
    /// The port can't work as it stands at this place.
    Error,
}

impl Severity {
    /// The severity that a table has as this word; a warning, where it has none.
    pub fn of_word(word: &str) -> Self {
        match word {
            "error" => Self::Error,
            "note" => Self::Note,
            _ => Self::Warning,
        }
    }

    /// The lower-case word that reports show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The identity of a kind of finding: one constant per kind ([`super::named`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// `CPPnnn`, `PYnnn`, `BLDnnn`, `PRJnnn` or `LOGnnn`.
    pub id: &'static str,
    /// The weight of a finding of this kind.
    pub severity: Severity,
    /// The meaning of the finding in a few words, without a full stop.
    pub title: &'static str,
}

impl Code {
    /// The code of an error.
    pub const fn error(id: &'static str, title: &'static str) -> Self {
        Self::new(Severity::Error, id, title)
    }

    /// The code of a warning.
    pub const fn warning(id: &'static str, title: &'static str) -> Self {
        Self::new(Severity::Warning, id, title)
    }

    /// The code of a note.
    pub const fn note(id: &'static str, title: &'static str) -> Self {
        Self::new(Severity::Note, id, title)
    }

    const fn new(severity: Severity, id: &'static str, title: &'static str) -> Self {
        Self {
            id,
            severity,
            title,
        }
    }
}
