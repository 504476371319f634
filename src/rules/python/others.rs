//! Modules and branches that only other vendors' platforms reach: they stay as they are.

use super::reach::{self, Reach};
use super::reserved_code::{Reserved, When};
use super::{PythonUnit, builds};
use crate::diagnostic::KeptReason;
use crate::project::OTHER_PLATFORM;
use crate::project::replay::Cause;
use crate::text::TextRange;

/// The whole module, if only another vendor's platform reaches it.
pub fn module(unit: &PythonUnit<'_>) -> Option<Reserved> {
    let Reach::OtherVendor(reason) = reach::of_module(unit, unit.index) else {
        return None;
    };
    let path = unit.path;
    let message = format!("`{path}` was left: {}", reason.why);
    let finding = unit.finding(OTHER_PLATFORM, TextRange::new(0, 0), message);
    Some(Reserved {
        when: When::IfTouched,
        with_builders: true,
        finding: Some(finding.help("nothing to do where MUSA does not load it")),
        ..Reserved::silent(TextRange::new(0, unit.text.len()), KeptReason::VendorBranch)
    })
}

/// The branches that only other vendors' platforms take.
pub fn branches(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    // What a build keeps under a key for all platforms has one key.
    if builds::is_of_build(unit) {
        return Vec::new();
    }
    let all = reach::away(unit).into_iter();
    all.filter(|one| matches!(one.reason.cause, Cause::Vendor(_)))
        .map(|one| Reserved::silent(one.range, KeptReason::VendorBranch))
        .collect()
}
