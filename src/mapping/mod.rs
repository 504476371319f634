//! What is known of CUDA names and their MUSA counterparts: schema, loader, validation, lookup.
//!
//! Built-in tables and a user's own go through one door, [`loader`]: `build.rs` runs it over
//! `mappings/*.toml` and keeps the result as a compact image, and a run calls it for the tables
//! that the user hands in.
//!
//! Architecture invariant: `loader` uses `std`, `serde`, `toml`, `postcard` and `thiserror` only
//! and reaches nothing through `crate::`, because the build script compiles it as its own module.

mod builtin;
pub mod codes;
pub mod docs;
pub mod effort;
pub mod knowledge;
pub mod loader;
mod positions;
pub mod query;
mod shapes;
pub mod shim;
pub mod stub;
mod surroundings;
mod tables;
mod variables;
mod versions;

pub use loader::{
    Architecture, Evidence, Hazard, MappingError, Nature, Relation, Row, Runtime, Section, Since,
    Stem, Target, USER,
};
pub use positions::{PlatformName, PlatformReport, Positions, ValueKind};
pub use shapes::{CapabilityWords, Shapes};
pub use surroundings::{Column, Command, Loader, Surroundings, Takes};
pub use tables::{Library, Overlay, Tables};
pub use variables::{Deed, EnvironmentPlaces};
pub use versions::{Version, Versions};
