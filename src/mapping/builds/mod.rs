//! The tables of `mappings/build/`: words of CUDA's in build files.

mod cmake;
mod extensions;
mod flags;
mod musa;
mod reach;
mod releases;
mod scripts;
mod walk_limits;

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::table;
use crate::word_list::WordList;

pub use cmake::{Architectures, CMakeTable, Counterpart, DeclaringCommands};
pub use extensions::{
    BuildSwitches, Extensions, PathStep, SourceBuilder, SourceLimits, SourceLists,
};
pub use flags::FlagSyntax;
pub use musa::MusaBuildTable;
pub use reach::Reach;
pub use scripts::Scripts;
pub use walk_limits::WalkLimits;

/// The tables of `mappings/build/`.
#[derive(Debug)]
pub struct Builds {
    /// What tells that a word is about CUDA.
    pub words: BuildWords,
    /// How options of nvcc are written.
    pub flags: FlagSyntax,
    /// Builders of Python's extensions.
    pub extensions: Extensions,
    /// What `CMake` has for CUDA.
    pub cmake: CMakeTable,
    /// What stands where in scripts.
    pub scripts: Scripts,
    /// What tells that a build for MUSA compiles a file.
    pub reach: Reach,
    /// What tells that a project builds for MUSA already.
    pub musa: MusaBuildTable,
}

impl Builds {
    /// The tables that come with the program.
    ///
    /// # Errors
    /// A fault in a table, with its file and line.
    pub(super) fn load() -> Result<Self, MappingError> {
        let flags: flags::FlagFile = table!("flags.toml")?;
        Ok(Self {
            flags: flags.syntax,
            words: table!("build/words.toml")?,
            extensions: table!("build/extensions.toml")?,
            cmake: table!("build/cmake.toml")?,
            scripts: table!("build/scripts.toml")?,
            reach: table!("build/reach.toml")?,
            musa: table!("build/musa.toml")?,
        })
    }
}

/// What tells that a word in a build file is about CUDA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildWords {
    /// Parts of words, in lower case.
    pub stems: WordList,
    /// What has such a part and is none, in lower case.
    pub others: Vec<String>,
    /// What has to fit together.
    pub lints: LintWords,
}

/// Words of what has to fit together in a port.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LintWords {
    /// Variables that list GPUs of MUSA's.
    pub arch_lists: Vec<String>,
    /// Commands of `CMake` that define macros.
    pub definition_commands: Vec<String>,
    /// The keyword of extensions that does.
    pub definition_keyword: String,
    /// Builders that know device code by MUSA's endings alone.
    pub builders: Vec<String>,
}

impl BuildWords {
    /// Whether a word is about CUDA, or a text may have such words.
    pub fn is_cudas(&self, word: &[u8]) -> bool {
        self.stems.is_in_any_case(word) && !self.is_other(word)
    }

    /// Whether a word has no part of CUDA's but in what is none.
    fn is_other(&self, word: &[u8]) -> bool {
        // A whole text may well have both.
        let Some(word) = std::str::from_utf8(word)
            .ok()
            .filter(|word| word.len() < 100)
        else {
            return false;
        };
        let word = word.to_ascii_lowercase();
        let mut others = self.others.iter();
        others.any(|other| {
            let mut parts = word.split(other.as_str());
            word.contains(other.as_str())
                && !parts.any(|part| self.stems.is_in_any_case(part.as_bytes()))
        })
    }
}
