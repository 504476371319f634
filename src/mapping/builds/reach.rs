//! What tells that a build for MUSA compiles a file: `mappings/build/reach.toml`.

use crate::word_list::{contains_one, ends_with_one, has};
use serde::{Deserialize, Serialize};

/// The table `mappings/build/reach.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reach {
    /// How many files one include may mean.
    pub include_targets: usize,
    /// Endings of files that compilers are given.
    pub units: Vec<String>,
    /// Names of folders whose headers are there for others.
    pub public_folders: Vec<String>,
    /// Folders of programs that only read sources, unless they speak of a compiler.
    pub reading_folders: Vec<String>,
    /// Words of what runs a compiler.
    pub compilers: Vec<String>,
    /// Words of `CMake`'s files.
    pub cmake: CMakeReach,
    /// Words of Python's.
    pub python: PythonReach,
}

/// Words of Python that builds something.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonReach {
    /// Words in names of what holds architectures.
    pub architecture_words: Vec<String>,
    /// Words in names of what holds the first number of a compute capability.
    pub major_words: Vec<String>,
    /// Arguments that hold flags for nvcc.
    pub flags: Vec<String>,
    /// Calls that give the flags for some architectures.
    pub choosing: Vec<ChoosingCall>,
}

/// A call that gives the flags for some architectures.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoosingCall {
    /// The last name of what is called.
    pub call: String,
    /// The keyword of the numbers.
    pub keyword: String,
    /// What a number is multiplied by to be an architecture.
    pub times: u32,
    /// Where that is known from.
    pub source: String,
}

impl Reach {
    /// Whether a compiler is given a file of this path, rather than that others include it.
    pub fn is_unit(&self, path: &str) -> bool {
        ends_with_one(path, &self.units)
    }

    /// Whether a program only reads the sources that it speaks of.
    pub fn only_reads(&self, path: &str, text: &[u8]) -> bool {
        let mut folders = path.split('/').rev().skip(1);
        let is_one = |folder: &str| has(&self.reading_folders, folder);
        folders.any(is_one) && !contains_one(text, &self.compilers)
    }
}

/// Words of `CMake`'s files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CMakeReach {
    /// Variables with CUDA's architectures that a build is for.
    pub architectures: Vec<String>,
    /// Commands that name sources and hand them to no compiler.
    pub describing: Vec<String>,
    /// Packages that only CUDA has.
    pub cuda_packages: Vec<String>,
    /// Commands whose arguments are installed.
    pub installing: Vec<String>,
    /// Words of such a command before a pattern that chooses among its arguments.
    pub installing_filters: Vec<String>,
    /// Commands that choose architectures.
    pub choosing: Vec<ChoosingCommand>,
}

/// A command that puts those of some architectures into a variable which the build is for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoosingCommand {
    /// The command.
    pub command: String,
    /// The place of the variable among its arguments.
    pub result: usize,
    /// The place of the architectures.
    #[serde(default)]
    pub of: Option<usize>,
    /// The lowest architecture, where the command asks for some of its own.
    #[serde(default)]
    pub lowest: Option<u32>,
    /// Where that is known from.
    pub source: String,
}
