//! What `learn` reads of an SDK, and how it reports names that it does not find there: `mappings/learn.toml`.

use crate::word_list::starts_with_one;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::{builtin_table, table};

/// What `learn` looks for and how far it goes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnTable {
    /// How much is read.
    pub limits: LearnLimits,
    /// Headers of the SDK.
    pub headers: HeaderPlaces,
    /// CUDA's own headers.
    pub cuda: CudaPlaces,
    /// Files of libraries.
    pub libraries: LibraryNames,
    /// Modules of `CMake`'s.
    pub modules: ModuleNames,
    /// How the compiler is asked.
    pub mcc: CompilerQuestions,
    /// Headers of Python's packages.
    pub packages: PackagePlaces,
    /// Which rows are written.
    pub rows: RowChoices,
}

/// How much is read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnLimits {
    /// Files and folders that are listed.
    pub files: usize,
    /// How deep folders lie.
    pub depth: usize,
    /// Bytes of one header.
    pub header: u64,
    /// Bytes of all headers.
    pub headers: u64,
    /// Bytes of one module of `CMake`'s.
    pub module: u64,
    /// Libraries that are opened.
    pub libraries: usize,
    /// Names that one library exports.
    pub exports: usize,
}

/// Headers of the SDK.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HeaderPlaces {
    /// Endings of files that are read as headers.
    pub endings: Vec<String>,
    /// Folders below which the compiler has its own headers.
    pub compiler: Vec<String>,
    /// The folder with headers below a version of the compiler.
    pub compiler_include: String,
}

/// CUDA's own headers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CudaPlaces {
    /// Variables that name CUDA's folder.
    pub variables: Vec<String>,
    /// Places where no variable names one.
    pub places: Vec<String>,
    /// Folders with headers.
    pub include: Vec<String>,
    /// The package of a Python that has CUDA's packages.
    pub packages: String,
    /// The folder with headers in each of them.
    pub packages_include: String,
    /// Files of which a folder with CUDA's headers has one.
    pub marks: Vec<String>,
}

/// Files of libraries.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryNames {
    /// What they begin with.
    pub prefix: String,
    /// The ending of shared ones.
    pub shared: String,
    /// The ending of static ones.
    pub r#static: String,
}

/// Modules of `CMake`'s.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleNames {
    /// Their ending.
    pub ending: String,
    /// What commands end in that make a target of their first argument.
    pub makers: Vec<String>,
    /// The namespace of these targets.
    pub namespace: String,
}

/// How the compiler is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompilerQuestions {
    /// The arguments for its version.
    pub version: Vec<String>,
    /// The arguments for its help.
    pub help: Vec<String>,
    /// What the names of GPU generations begin with.
    pub architecture: String,
}

/// Python's packages, their headers and names.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PackagePlaces {
    /// The folders with headers below each package.
    pub folders: BTreeMap<String, Vec<String>>,
    /// The name of folders that code includes from.
    pub include: String,
    /// `PyTorch`'s module for CUDA, and its counterpart.
    pub module: ModulePair,
    /// Words of the names that `torch_musa` itself declares.
    pub own_words: Vec<String>,
}

/// A module and its counterpart.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModulePair {
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
}

/// Which rows are written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RowChoices {
    /// Families whose rows stay.
    pub kept_families: Vec<String>,
    /// Tables of whose names `learn` reports none as missing.
    pub declared_only: Vec<String>,
    /// Tables whose names `learn` reports as missing only if it read the compiler's own headers.
    pub with_compiler: Vec<String>,
    /// Tables of libraries that are installed by themselves.
    pub elsewhere: Vec<String>,
    /// Tables of torch's names.
    pub python: Vec<String>,
    /// What libraries of CUDA's begin with whose counterparts are installed by themselves.
    pub libraries_elsewhere: Vec<String>,
    /// What names begin with whose values count.
    pub values: Vec<String>,
}

impl RowChoices {
    /// Whether code relies on the value that a name has.
    pub fn has_value(&self, name: &str) -> bool {
        starts_with_one(name, &self.values)
    }
}

builtin_table!(LearnTable, table!("learn.toml"));

/// What CUDA's headers declare, for machines that have none: `mappings/signatures.toml`. Only `learn` reads it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CudaDeclarations {
    /// Where they are from.
    pub source: String,
    /// The types of functions' parameters: `void **, size_t`.
    pub functions: BTreeMap<String, String>,
    /// What types are made of; nothing for structs and enumerations.
    pub types: BTreeMap<String, String>,
    /// The values of constants.
    pub values: BTreeMap<String, i64>,
}

impl CudaDeclarations {
    /// Read it.
    ///
    /// # Errors
    /// A fault in the table, with its line. The build script reads each table first, so a run never sees one.
    pub fn load() -> Result<Self, MappingError> {
        table!("signatures.toml")
    }
}
