//! Names of renamed sources in strings: a program that compiles a kernel at run time opens it by its name.

use crate::diagnostic::Code;
use crate::rules::{Outcome, Rule, Unit};

/// Names of renamed sources.
pub struct RenamedSources;

impl Rule for RenamedSources {
    fn name(&self) -> &'static str {
        "cpp-renamed-sources"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &Unit<'_>, out: &mut Outcome) {
        if unit.fragment.is_some() {
            return;
        }
        for (range, to) in unit.project.renamed_mentions(unit.index) {
            unit.rewrite(out, range, &to, self.name(), None);
        }
    }
}
