//! Names that the project gave to platforms and devices itself, and the sources of its words.

pub(super) mod imported;
pub(super) mod name_conflicts;
pub(super) mod name_spaces;
pub(super) mod platform_names;
pub(super) mod registries;
pub(super) mod word_source;
pub(super) mod word_sources;
