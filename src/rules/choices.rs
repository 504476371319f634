//! The user's settings for rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Times;
use torchada_mapping::{Dialect, Evidence, gpu_number, has};

/// The user's settings for rules.
#[derive(Clone, Debug)]
pub struct RuleSettings {
    /// The weakest evidence that is acted upon.
    pub min_evidence: Evidence,
    /// Identifiers that are the project's own.
    pub own_names: BTreeSet<String>,
    /// Whether edits that may change the meaning are applied.
    pub unsafe_edits: bool,
    /// Whether findings in what no build for MUSA compiles count like others.
    pub all_code: bool,
    /// The dialect of the result.
    pub dialect: Dialect,
    /// Whether programs import the package for run time.
    pub import_stub: StubImport,
    /// The MUSA architectures that the user named: `mp_31`.
    pub targets: Vec<String>,
    /// Whether every file that changes is parsed before and after, and Python by its grammar alone.
    pub verify_all: bool,
    /// The rules that look at files, by their names, where a test asks what these do without the others; `None` for
    /// all.
    pub only: Option<Vec<String>>,
    /// What notes how long each rule takes, where somebody wants to know.
    pub times: Option<Arc<Times>>,
}

impl RuleSettings {
    /// Whether the rule of a name looks at files.
    pub fn runs(&self, rule: &str) -> bool {
        let only = self.only.as_deref();
        only.is_none_or(|only| has(only, rule))
    }

    /// Do something, and note how long it takes.
    pub fn timed<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        match &self.times {
            Some(times) => times.measure(what, work),
            None => work(),
        }
    }
}

impl RuleSettings {
    /// The numbers of the GPUs that the user named: `31`.
    pub fn gpus(&self) -> impl Iterator<Item = &str> {
        self.targets.iter().filter_map(|one| gpu_number(one))
    }
}

/// Whether programs import the package for run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubImport {
    /// Modules do without the package.
    Never,
    /// Modules import the package, and the port writes it beside them.
    Beside,
    /// Modules import the package, and the port does not write it: the port is of a part of a tree, whose Python is
    /// useless on MUSA without the package.
    Elsewhere,
}

impl StubImport {
    /// Whether modules import the package.
    pub fn is_wanted(self) -> bool {
        self != Self::Never
    }
}
