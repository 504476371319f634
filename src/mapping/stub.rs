//! Knowledge for the package for run time, besides names: `mappings/stub.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};

/// The package's folder in an output.
pub const FOLDER: &str = "torchada";

/// A distributed backend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// `nccl`
    pub cuda: String,
    /// `mccl`
    pub musa: String,
    /// Where this comes from.
    pub source: String,
}

/// A shared library whose functions are looked up by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedLibrary {
    /// Its name without `lib` and ending: `cudart`.
    pub stem: String,
    /// The ids of the tables that have its functions.
    pub tables: Vec<String>,
    /// What its functions start with, and what their counterparts do.
    pub prefixes: BTreeMap<String, String>,
}

/// The version in the file name of one of MUSA's libraries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedLibrary {
    /// MUSA's library, without `lib` and ending: `mccl`.
    pub stem: String,
    /// What follows `.so.`.
    pub version: String,
    /// Where this comes from.
    pub source: String,
}

/// Enumerators of `musaDeviceAttr`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attributes {
    /// Their numbers.
    pub numbers: BTreeMap<String, u32>,
    /// Where they come from.
    pub source: String,
}

/// The table `mappings/stub.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StubKnowledge {
    /// Distributed backends.
    #[serde(rename = "backend")]
    pub backends: Vec<Backend>,
    /// Shared libraries.
    #[serde(rename = "library")]
    pub libraries: Vec<SharedLibrary>,
    /// Versions in file names.
    #[serde(rename = "version")]
    pub versions: Vec<CheckedLibrary>,
    /// The attributes of a device.
    pub attributes: Attributes,
}

builtin_table!(StubKnowledge, table!("stub.toml"));
