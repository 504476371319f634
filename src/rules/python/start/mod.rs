//! Where programs start, and what stops them there.

pub mod entry;
pub mod errors;
mod packages;
