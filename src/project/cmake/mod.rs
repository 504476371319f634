//! The `CMake` files of a tree: each parsed once, and all of them run without a build.

pub mod files;
pub mod queries;
pub mod replay;
pub(crate) mod version_conditions;
