//! The edit of a name in a string, and the code of the findings about names in strings.

use crate::python::PythonUnit;
use crate::{Change, Outcome};
use torchada_syntax::python::Literal;

/// Make a change whose range is one of a string's value.
pub(super) fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    mut change: Change<'_>,
) {
    if let Some(range) = literal.in_file(change.range) {
        change.range = range;
        unit.change(out, change);
    }
}

/// Whether a letter may stand in a dotted name.
pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

/// The value of a string, as a text.
pub(super) fn shown(literal: &Literal) -> String {
    literal.text().into_owned()
}
