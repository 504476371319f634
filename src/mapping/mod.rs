//! CUDA names and their MUSA counterparts: schema, loader, validation, lookup; and all other tables of knowledge.
//!
//! Built-in tables and a user's own go through one door, [`loader`]: `build.rs` runs it over
//! `mappings/*.toml` and keeps the result as a compact image, and a run calls it for the tables
//! that the user hands in. A facts file has as many rows as all built-in tables together, so it becomes an image, too,
//! which the next run takes as it is.
//!
//! Architecture invariant: `loader` uses `std`, `serde`, `toml`, `postcard` and `thiserror` only
//! and reaches nothing through `crate::`, because the build script compiles it as its own module.

pub mod build_log;
pub mod builds;
pub mod causes;
pub mod codes;
mod commands;
mod conflicts;
pub mod cuda_version;
pub mod dialect;
pub mod docs;
pub mod doctor;
pub mod effort;
mod embedded;
mod facts;
mod families;
pub mod files;
pub mod gpus;
pub mod kernels;
pub mod knowledge;
pub mod learn;
mod likeness;
pub mod loader;
pub mod machine;
mod name_parts;
mod operator_calls;
mod operator_query;
pub mod operators;
mod overlay;
pub mod packages;
mod packed;
pub mod ptx;
mod python_strings;
mod python_values;
pub mod query;
mod read_table;
pub mod safety;
mod settings;
mod shapes;
pub mod shim;
pub mod stub;
mod tables;
pub mod triton;
mod variables;
mod vendors;
mod versions;

pub use commands::Command;
pub use conflicts::{Conflict, ConflictKind, conflicts};
pub use embedded::Embedded;
pub use facts::FactTable;
pub use loader::{
    Architecture, Evidence, Facts, Hazard, MappingError, Nature, Relation, Row, Runtime, Section,
    Since, Stem, Target, USER, meant,
};
pub use name_parts::NameParts;
pub use operator_calls::{CallFault, OperatorCalls};
pub use operator_query::{OperatorAnswer, OperatorRow};
pub use overlay::{Library, Overlay};
pub use python_strings::{Loader, ProfilerColumn, PythonStrings, Takes, ToolString};
pub use python_values::{
    LibraryOf, Member, OwnDevices, PlatformName, PlatformReport, PythonValues, TorchNames,
    ValueKind,
};
pub use settings::{SettingFiles, SettingValue};
pub use shapes::{CapabilityWords, GuardWords, Shapes, VersionForm};
pub use tables::Tables;
pub use variables::{EnvironmentPlaces, VariableAccess};
pub use vendors::{NvidiaOnly, PythonMarks, Vendor};
pub use versions::{Version, Versions};
