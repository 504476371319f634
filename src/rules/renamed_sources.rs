//! Names of sources that got another ending: whatever names them follows, be it a list of a build, a pattern, or a
//! string by which a program opens a kernel that it compiles at run time.

use super::{Change, Outcome, Unit};

/// Write the new names.
pub fn check<C>(unit: &Unit<'_, C>, out: &mut Outcome) {
    // The places are the file's, and not those of Python in it.
    if unit.fragment.is_some() || unit.file.python.is_some() {
        return;
    }
    for (range, to) in unit.project.renamed_mentions(unit.index) {
        unit.apply(out, Change::new(range, &to));
    }
}
