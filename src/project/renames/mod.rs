//! Which files get MUSA's endings, and the places that name these files.

pub mod candidates;
pub mod decide;
pub mod follow;
pub mod named_candidates;
pub mod outputs;
mod spread;
