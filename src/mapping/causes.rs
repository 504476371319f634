//! Which findings have one cause: `mappings/causes.toml`.

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};
use crate::word_list::has;

/// The table `mappings/causes.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CauseTable {
    /// The codes of notes that leave nothing to do.
    idle: Vec<String>,
    /// The codes whose findings in a Python module are one where they say the same.
    pub joined: Vec<String>,
    #[serde(rename = "cause")]
    rows: Vec<CauseRow>,
}

/// How a summary sorts the findings of some codes into causes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CauseRow {
    /// The codes.
    pub codes: Vec<String>,
    /// What findings of one cause have in common.
    pub by: CommonPart,
    /// What the findings are about; `None` where the titles of their codes say it.
    #[serde(default)]
    pub title: Option<String>,
    /// The titles of the libraries that another one replaces as a whole.
    #[serde(default)]
    pub replaced: Vec<String>,
    /// Whether the findings are about packages from outside, which summaries show together.
    #[serde(default)]
    pub packages: bool,
    /// Whether findings of one cause whose messages differ are as much work as findings of several causes.
    #[serde(default)]
    pub work_apart: bool,
}

/// What findings of one cause have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommonPart {
    /// A code of the same row.
    Code,
    /// The advice.
    Advice,
    /// The message.
    Message,
    /// The package that the message first quotes, whichever of the row's codes says it; of others the advice.
    Package,
    /// The name that the findings are about, or the library of the name, where another one replaces it as a whole.
    Name,
}

builtin_table!(CauseTable, table!("causes.toml"));

impl CauseTable {
    /// The row of a code, if there is one.
    pub fn row(&self, code: &str) -> Option<&CauseRow> {
        self.rows.iter().find(|row| has(&row.codes, code))
    }

    /// Whether the findings of a code leave nothing to do.
    pub fn is_idle(&self, code: &str) -> bool {
        has(&self.idle, code)
    }

    /// All rows.
    pub fn rows(&self) -> &[CauseRow] {
        &self.rows
    }
}
