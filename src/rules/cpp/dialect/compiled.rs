//! The places that MUSA compiles, in which the dialect matters.

use crate::cpp::CppUnit;
use torchada_text::TextRange;

/// The name of the rule, which its edits bear.
pub const RULE: &str = "dialect";

/// Whether MUSA compiles a place.
pub(super) fn is_compiled(unit: &CppUnit<'_>, range: TextRange) -> bool {
    unit.foreign(range).is_none() && !unit.is_left_out(range.start)
}
