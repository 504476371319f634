//! Where values come from and go to, a step at a time: through assignments, calls, attributes and `return`.

pub(super) mod attribute_places;
pub(super) mod attributes;
pub(super) mod callers;
pub(super) mod steps;
