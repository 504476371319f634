//! The tables of `mappings/build/`: words of CUDA's in build files.

mod cmake;
mod extensions;
mod flags;
mod musa;
mod reach;
mod scripts;
mod walk_limits;

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::table;

pub use cmake::{Architectures, CMakeTable, Counterpart, Declaring};
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
    pub stems: Vec<String>,
    /// What has to fit together.
    pub lints: LintWords,
    /// Finds the stems.
    #[serde(skip)]
    finder: OnceLock<Option<AhoCorasick>>,
}

/// Words of what has to fit together in a port.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LintWords {
    /// Variables that list GPUs of MUSA's.
    pub arch_lists: Vec<String>,
    /// The numbers that they may hold.
    pub arch_numbers: Vec<String>,
    /// Commands of `CMake` that define macros.
    pub definition_commands: Vec<String>,
    /// The keyword of extensions that does.
    pub definition_keyword: String,
    /// Builders that know device code by MUSA's endings alone.
    pub builders: Vec<String>,
}

impl BuildWords {
    /// Whether a word is about CUDA.
    pub fn is_cudas(&self, word: &[u8]) -> bool {
        let finder = self.finder.get_or_init(|| {
            let mut builder = AhoCorasick::builder();
            builder.ascii_case_insensitive(true).build(&self.stems).ok()
        });
        finder.as_ref().is_some_and(|finder| finder.is_match(word))
    }
}

/// Whether a text has the mark of a build for a release of CUDA's behind one of some signs: `torch==2.7.1+cu128`,
/// `…/whl/cu118/`, `ray:2.57.0-py312-cu130`, `…%2Bcu12torch2.7-…`.
pub fn names_release(text: &str, signs: &[&str]) -> bool {
    text.match_indices("cu").any(|(at, mark)| {
        let (front, rest) = (text.get(..at), text.get(at + mark.len()..));
        let (front, rest) = (front.unwrap_or_default(), rest.unwrap_or_default());
        let end = rest.find(|one: char| !one.is_ascii_digit());
        let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let is_number = match number.len() {
            2 => ("11"..="13").contains(&number) || number >= "75",
            3 => ("100"..="139").contains(&number),
            _ => false,
        };
        let ends = !behind.starts_with(|one: char| one.is_ascii_alphanumeric());
        is_number
            && (ends || behind.starts_with("torch"))
            && signs.iter().any(|sign| front.ends_with(sign))
    })
}

/// What stands before the mark of a release in a version, and in addresses and tags of images.
pub const IN_VERSION: &[&str] = &["+", "%2B"];
/// See [`IN_VERSION`].
pub const IN_ADDRESS: &[&str] = &["+", "%2B", "/", "-", "_"];
