//! Codes and names of rules: the texts of stored things that the program holds itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::commands::codes;
use crate::diagnostic::{Code, Severity};

/// All codes and names of rules of this program.
pub(in crate::commands) struct Words {
    /// By identity and title: rows of a table may share a code, each with a title of its own.
    codes: BTreeMap<(&'static str, &'static str), Code>,
    rules: BTreeSet<&'static str>,
}

/// A code, by what tells it apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StoredCode {
    id: String,
    title: String,
    /// A place may weigh more or less than its code does.
    severity: Severity,
}

impl From<Code> for StoredCode {
    fn from(code: Code) -> Self {
        Self {
            id: code.id.to_owned(),
            title: code.title.to_owned(),
            severity: code.severity,
        }
    }
}

impl Words {
    /// Those of this program.
    pub(in crate::commands) fn new() -> Self {
        let codes = codes::all().into_iter();
        Self {
            codes: codes.map(|code| ((code.id, code.title), code)).collect(),
            rules: codes::rules().into_iter().collect(),
        }
    }

    /// A code of the program's; `None` for one that it does not have.
    pub(super) fn code(&self, stored: &StoredCode) -> Option<Code> {
        let known = self.codes.get(&(&*stored.id, &*stored.title))?;
        Some(Code {
            severity: stored.severity,
            ..*known
        })
    }

    /// The name of a rule of the program's; `None` for one that it does not have.
    pub(super) fn rule(&self, name: &str) -> Option<&'static str> {
        self.rules.get(name).copied()
    }
}
