//! Names of sources that got another ending: each list and pattern that names them follows.

use super::{BuildRule, BuildUnit};
use crate::diagnostic::Code;
use crate::mapping::files::BuildLanguage;
use crate::rules::Outcome;

/// Names of renamed sources.
pub struct RenamedSources;

impl BuildRule for RenamedSources {
    fn name(&self) -> &'static str {
        "build-renamed-sources"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn reads(&self, _language: BuildLanguage) -> bool {
        true
    }

    fn check(&self, unit: &BuildUnit<'_>, out: &mut Outcome) {
        for (range, to) in unit.project.renamed_mentions(unit.index) {
            unit.replace(out, range, &to, self.name(), None);
        }
    }
}
