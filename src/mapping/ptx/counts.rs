//! How exact translations are, and how many statements a run translated how exactly.

use serde::{Deserialize, Serialize};

/// How the translation of an instruction compares with the instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exactness {
    /// The same bits, and the same order of memory.
    Exact,
    /// The same bits, and an order of memory that is at least as strong.
    Stronger,
    /// The same bits, with more work.
    Slower,
    /// Other bits, within what the instruction itself allows.
    Approximate,
}

impl Exactness {
    /// The word that tables and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stronger => "stronger",
            Self::Slower => "slower",
            Self::Approximate => "approximate",
        }
    }
}

/// How many statements of inline PTX were translated, by the exactness of that, and how many stay.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct StatementCounts {
    /// Statements whose translation is the same.
    pub exact: usize,
    /// Statements whose translation orders memory more strictly.
    pub stronger: usize,
    /// Statements whose translation takes more work.
    pub slower: usize,
    /// Statements whose translation may give other bits.
    pub approximate: usize,
    /// Statements that stay, each with a finding.
    pub kept: usize,
}

impl StatementCounts {
    /// Count a statement; one without an exactness stays.
    pub fn count(&mut self, exactness: Option<Exactness>) {
        match exactness {
            Some(Exactness::Exact) => self.exact += 1,
            Some(Exactness::Stronger) => self.stronger += 1,
            Some(Exactness::Slower) => self.slower += 1,
            Some(Exactness::Approximate) => self.approximate += 1,
            None => self.kept += 1,
        }
    }

    /// How many statements were translated.
    pub fn translated(&self) -> usize {
        self.exact + self.stronger + self.slower + self.approximate
    }

    /// The counts of two files together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            exact: self.exact + other.exact,
            stronger: self.stronger + other.stronger,
            slower: self.slower + other.slower,
            approximate: self.approximate + other.approximate,
            kept: self.kept + other.kept,
        }
    }
}
