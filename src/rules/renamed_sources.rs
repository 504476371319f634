//! Names of sources that got another ending: whatever names them follows, be it a list of a build, a pattern, or a
//! string by which a program opens a kernel that it compiles at run time.

use super::{Outcome, Rule, Unit};

/// The rule, with its name among those of its language.
pub struct RenamedSources(pub &'static str);

impl<C> Rule<Unit<'_, C>> for RenamedSources {
    fn name(&self) -> &'static str {
        self.0
    }

    fn check(&self, unit: &Unit<'_, C>, out: &mut Outcome) {
        // The places are the file's, and not those of Python in it.
        if unit.fragment.is_some() || unit.file.python.is_some() {
            return;
        }
        for (range, to) in unit.project.renamed_mentions(unit.index) {
            unit.replace(out, range, &to, self.0, None);
        }
    }
}
