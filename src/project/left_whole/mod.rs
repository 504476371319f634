//! Files that are left as they are, and why: libraries that the tree carries along or that MUSA has no counterpart of.

pub mod disposition;
pub mod libraries;
mod twins;
pub mod vendored;
