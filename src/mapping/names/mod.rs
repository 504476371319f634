//! Names of CUDA's and their counterparts: the rows of a run, by layers, and what is asked of them.

pub(super) mod conflicts;
pub(super) mod facts;
pub(super) mod likeness;
pub(super) mod name_parts;
pub(super) mod operator_query;
pub(super) mod overlay;
pub(super) mod packed;
pub mod query;
pub mod stems;
pub(super) mod tables;
pub(super) mod versions;
