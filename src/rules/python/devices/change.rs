//! How a device's name becomes another.

use crate::python::PythonUnit;
use crate::{Change, Outcome};
use torchada_diagnostic::Applicability;
use torchada_mapping::Evidence;
use torchada_text::TextRange;

/// The rule for strings that name a device, by its name.
pub const DEVICES: &str = "python-devices";

/// Put a text in the place of a range, in the name of this rule.
pub fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    to: &str,
    applicability: Applicability,
) {
    let change = Change::new(range, to)
        .rule(DEVICES)
        .applicability(applicability)
        .evidence(Evidence::Confirmed);
    unit.change(out, change);
}
