//! How a project shows that it builds for MUSA already: `mappings/build/musa.toml`.

use serde::{Deserialize, Serialize};

use crate::word_list::WordList;

/// The table `mappings/build/musa.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MusaBuildTable {
    /// The least percentage of a component's CUDA sources that reach MUSA's names.
    pub least_share: usize,
    /// Words without any of which a build file says nothing of MUSA.
    pub words: WordList,
    /// Marks in files of `CMake`'s.
    pub cmake: CMakeMarks,
    /// Marks in makefiles.
    pub make: MakeMarks,
    /// Marks in Python.
    pub python: PythonMarks,
}

/// The marks in files of `CMake`'s.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CMakeMarks {
    /// The language for MUSA.
    pub language: String,
    /// Commands that name languages.
    pub language_commands: Vec<String>,
    /// Options of the compiler that only builds for MUSA give.
    pub options: Vec<String>,
    /// Commands that declare an option of the project's.
    pub switches: Vec<String>,
    /// Endings of variables that are results and no options.
    pub results: Vec<String>,
    /// The command that builds it, with `{switch}`.
    pub command: String,
    /// The command where there is no option.
    pub plain_command: String,
    /// Where this comes from.
    pub source: String,
}

/// The marks in makefiles.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeMarks {
    /// Options of the compiler that only builds for MUSA give.
    pub options: Vec<String>,
    /// The command that builds it.
    pub command: String,
    /// Where this comes from.
    pub source: String,
}

/// The marks in Python.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PythonMarks {
    /// Calls that build extensions for MUSA.
    pub builders: Vec<String>,
    /// Calls that translate CUDA sources while the project is built.
    pub porters: Vec<String>,
    /// The command that builds it, with `{folder}`.
    pub command: String,
    /// Where this comes from.
    pub source: String,
}
