//! How a device's name becomes another.

use crate::Outcome;
use crate::python::PythonUnit;
use crate::python::unit::Change;
use torchada_diagnostic::Applicability;
use torchada_mapping::Evidence;
use torchada_text::TextRange;

/// The name of the rule for strings that name a device.
pub const RULE: &str = "python-devices";

/// Put a text in the place of a range, in the name of this rule.
pub fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    to: &str,
    applicability: Applicability,
) {
    let change = Change {
        range,
        to,
        rule: RULE,
        applicability,
        evidence: Some(Evidence::Confirmed),
    };
    unit.change(out, &change);
}
