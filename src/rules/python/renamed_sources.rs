//! Names of sources that got another ending: each list and pattern that names them follows.

use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::rules::Outcome;

/// Names of renamed sources.
pub struct RenamedSources;

impl PythonRule for RenamedSources {
    fn name(&self) -> &'static str {
        "python-renamed-sources"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        for (range, to) in unit.modules.renamed_mentions() {
            unit.change(
                out,
                &Change {
                    range,
                    to: &to,
                    rule: self.name(),
                    evidence: None,
                    applicability: Applicability::Safe,
                },
            );
        }
    }
}
