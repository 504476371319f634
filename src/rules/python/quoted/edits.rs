//! The edit of a name in a string, and the code of the findings about names in strings.

use crate::python::PythonUnit;
use crate::{Change, Outcome};
use torchada_diagnostic::Applicability;
use torchada_mapping::Evidence;
use torchada_syntax::python::Literal;
use torchada_text::TextRange;

/// Write `to` in the place of a range of a string's value.
pub(super) fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    to: &str,
    evidence: Evidence,
    sure: bool,
) {
    if let Some(range) = literal.in_file(range) {
        let change = Change::new(range, to)
            .applicability(Applicability::of_reading(sure))
            .evidence(evidence);
        unit.change(out, change);
    }
}

/// Whether a letter may stand in a dotted name.
pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

/// The value of a string, as a text.
pub(super) fn shown(literal: &Literal) -> String {
    String::from_utf8_lossy(literal.value()).into_owned()
}
