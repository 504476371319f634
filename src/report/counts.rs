//! What a run counts: files, edits, references and known findings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::mapping::Evidence;

/// Counts of files, by what the port did with them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FileCounts {
    /// Files and links of the input that were taken.
    pub seen: usize,
    /// Files in which something was translated.
    pub ported: usize,
    /// Files that were copied byte for byte, under their own name or another.
    pub copied: usize,
    /// Links.
    pub links: usize,
    /// Files that have another path in the output.
    pub renamed: usize,
    /// Files that could not be translated, each with a finding.
    pub failed: usize,
    /// Files of Python, without builds, tests and the like, of which there is something to say.
    pub python: usize,
    /// Files of C++ and CUDA, without tests and the like, of which there is something to say.
    pub cpp: usize,
    /// What was left out, by reason; a folder counts once.
    pub skipped: BTreeMap<&'static str, usize>,
}

/// Counts of the files that a person edited since the last port, by what the port did with the edits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EditCounts {
    /// Files whose edits stay as they are.
    pub kept: usize,
    /// Files that have the edits and the port's changes.
    pub merged: usize,
    /// Files in which the edits and the port disagree.
    pub conflicts: usize,
}

/// References translated, by the evidence of their mappings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct References {
    /// The user's own SDK has the counterpart. Reports of older versions have no such count.
    #[serde(default)]
    pub sdk: usize,
    /// Public MUSA code declares or uses the counterpart.
    pub confirmed: usize,
    /// Somebody's table says so.
    pub table: usize,
    /// Only the rule of the family says so.
    pub rule: usize,
    /// There is evidence against it, too.
    pub contested: usize,
    /// Edits that no mapping stands behind: includes that follow a renamed file, and the like.
    #[serde(default)]
    pub other: usize,
}

impl References {
    /// Count one applied edit.
    pub fn count(&mut self, evidence: Option<Evidence>) {
        match evidence {
            Some(Evidence::Sdk) => self.sdk += 1,
            Some(Evidence::Confirmed) => self.confirmed += 1,
            Some(Evidence::Table) => self.table += 1,
            Some(Evidence::Rule) => self.rule += 1,
            Some(Evidence::Contested) => self.contested += 1,
            None => self.other += 1,
        }
    }

    /// All that a mapping stands behind.
    pub fn translated(&self) -> usize {
        self.sdk + self.confirmed + self.table + self.rule + self.contested
    }

    /// The counts of two sets of edits together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            sdk: self.sdk + other.sdk,
            confirmed: self.confirmed + other.confirmed,
            table: self.table + other.table,
            rule: self.rule + other.rule,
            contested: self.contested + other.contested,
            other: self.other + other.other,
        }
    }
}

/// Findings that a baseline knows, and that are not shown again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownFindings {
    /// Findings that still need a decision.
    pub open: usize,
    /// Findings that somebody accepted.
    pub accepted: usize,
    /// Findings of the baseline that no longer exist.
    pub gone: usize,
}
