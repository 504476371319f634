//! CUDA names and their MUSA counterparts: schema, loader, validation, lookup; and all other tables of knowledge.
//!
//! Built-in tables and a user's own go through one door, [`loader`]: `build.rs` runs it over
//! `mappings/*.toml` and keeps the result as a compact image, and a run calls it for the tables
//! that the user hands in. A facts file has as many rows as all built-in tables together, so it becomes an image, too,
//! which the next run takes as it is.
//!
//! Architecture invariant: `loader` uses `std`, `serde`, `toml`, `postcard` and `thiserror` only
//! and reaches nothing through `crate::`, because the build script compiles it as its own module.

mod build_language;
pub mod build_log;
pub mod builds;
pub mod causes;
mod choices;
pub mod codes;
mod commands;
pub mod configuration;
mod cuda_architecture;
pub mod cuda_version;
pub mod dialect;
pub mod doctor;
pub mod effort;
mod families;
mod file_contents;
pub mod file_patterns;
pub mod files;
pub mod kernels;
pub mod knowledge;
pub mod learn;
pub mod loader;
pub mod machine;
pub mod names;
pub mod operators;
pub mod ptx;
pub mod python;
mod read_table;
pub mod safety;
mod settings;
mod shapes;
pub mod shim;
pub mod stub;
pub mod untranslated_files;
mod variables;
mod vendors;
mod word_list;

pub use choices::{Dialect, Rename, Vendored};
pub use commands::Command;
pub use cuda_architecture::{ArchitectureWords, architecture_number, architecture_of};
pub use kernels::calls::{CallFault, OperatorCalls};
pub use loader::{
    Architecture, Evidence, Facts, Hazard, MappingError, Nature, Relation, Row, Runtime, Section,
    Since, Stem, Target, USER, closest_word, gpu_number,
};
pub use names::conflicts::{Conflict, ConflictKind, conflicts};
pub use names::facts::FactTable;
pub use names::name_parts::NameParts;
pub use names::operator_query::{OperatorAnswer, OperatorRow};
pub use names::overlay::{Library, Overlay};
pub use names::tables::Tables;
pub use names::versions::{Version, Versions};
pub use python::embedded::Embedded;
pub use python::strings::{Loader, LoaderArgument, ProfilerColumn, PythonStrings, ToolString};
pub use python::values::{
    LibraryOf, Member, OwnDevices, PlatformName, PlatformReport, PythonValues, TorchNames,
    ValueKind,
};
pub use settings::{SettingFiles, SettingValue};
pub use shapes::{CapabilityWords, GuardWords, Shapes, VersionForm};
pub use variables::{EnvironmentPlaces, VariableAccess, VariableValue};
pub use vendors::{NvidiaOnly, PythonMarks, Vendor};
pub use word_list::{WordList, contains_one, ends_with_one, has, has_part, starts_with_one};
