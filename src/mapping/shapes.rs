//! Names by which the code of hazards recognises constructs: `mappings/shapes.toml`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::ArchitectureWords;
use crate::word_list::has;

/// The table `mappings/shapes.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shapes {
    /// Instructions of PTX without a dot in their names.
    pub plain_instructions: Vec<String>,
    /// What the other instructions of PTX start with, up to the first dot.
    pub ptx_instructions: Vec<String>,
    /// What a template of inline assembly begins with that is MUSA's own.
    pub own_assembly: String,
    /// Words that only files with device code have.
    pub device_marks: Vec<String>,
    /// How sources end that the host's compiler of C gets.
    pub host_endings: Vec<String>,
    /// Words before a function that the host runs, too.
    pub host_marks: Vec<String>,
    /// Words before a declaration that take arguments in brackets, as a function's name does.
    pub attributes: Vec<String>,
    /// Words around a name that is declared, or named from the root.
    pub declarations: DeclarationWords,
    /// Calls that pass values between the threads of a warp, with the place of the width among
    /// their arguments, 0-based.
    pub shuffles: BTreeMap<String, usize>,
    /// Words around guards on the architecture.
    pub guards: GuardWords,
    /// Words around warps.
    pub warp: WarpWords,
    /// Words and sizes of shared memory.
    pub shared: SharedMemory,
    /// Words around groups of all threads of a grid.
    pub grid: GridWords,
    /// Words around compute capabilities.
    pub capability: CapabilityWords,
    /// What stands around the number of an architecture.
    pub architecture: ArchitectureWords,
}

/// Words around a name that is declared, or named from the root, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeclarationWords {
    uses: Vec<String>,
    specifiers: Vec<String>,
    attributes: Vec<String>,
    before_root: Vec<String>,
}

impl DeclarationWords {
    /// Whether a word can stand before a name without declaring it.
    pub fn is_use(&self, word: &[u8]) -> bool {
        has(&self.uses, word)
    }

    /// Whether a word may stand between a type and the name that it is of.
    pub fn is_specifier(&self, word: &[u8]) -> bool {
        has(&self.specifiers, word)
    }

    /// Whether a word may stand there with something in brackets behind it.
    pub fn is_attribute(&self, word: &[u8]) -> bool {
        has(&self.attributes, word)
    }

    /// Whether a keyword can stand before a name that starts with `::`.
    pub fn stands_before_root(&self, word: &[u8]) -> bool {
        has(&self.before_root, word)
    }
}

/// Words around guards on the architecture, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GuardWords {
    /// The macro that has the architecture's number.
    pub architecture: String,
    /// The value of that macro from which on a GPU counts as one of CUDA's newest.
    pub newest: i64,
    /// Macros that are defined wherever the other is.
    pub defined: Vec<String>,
    /// Words of macros that a project defines where it is built with CUDA, as they are joined with
    /// underscores.
    pub built_with: Vec<String>,
    /// Macros that only editors and analysers define.
    pub editors: Vec<String>,
    /// Calls that only give up.
    pub gives_up: Vec<String>,
    /// Parts of names of functions that only give up, as they are joined with underscores.
    pub gives_up_parts: Vec<String>,
    /// Instructions that only wait for copies in the background, and have nothing to do where plain copies stand in
    /// their place.
    pub waits_for_copies: Vec<String>,
    /// Macros with versions of CUDA's.
    pub versions: FxHashMap<String, VersionForm>,
    /// MUSA's macro that is there where one of these is.
    pub defined_as: FxHashMap<String, String>,
    /// Macros of one compiler of CUDA's, each with those beside which a condition asks by it which compiler it is.
    pub compilers: FxHashMap<String, Vec<String>>,
}

impl GuardWords {
    /// The first of CUDA's newest architectures, as nvcc names it: 90 where the macro's value is 900.
    pub fn newest_architecture(&self) -> u32 {
        u32::try_from(self.newest / 10).unwrap_or(u32::MAX)
    }

    /// The macros beside which a condition asks by `name` which compiler of CUDA's it is.
    pub fn other_compilers(&self, name: &[u8]) -> &[String] {
        let name = std::str::from_utf8(name).ok();
        let others = name.and_then(|name| self.compilers.get(name));
        others.map_or(&[], Vec::as_slice)
    }

    /// Whether a macro says that the project is built with CUDA: `K2_WITH_CUDA`.
    pub fn is_built_with(&self, name: &[u8]) -> bool {
        let Ok(name) = std::str::from_utf8(name) else {
            return false;
        };
        let name = format!("_{name}_");
        let mut words = self.built_with.iter();
        words.any(|words| name.contains(&format!("_{words}_")))
    }

    /// Whether a function of this name only gives up.
    pub fn is_giving_up(&self, name: &[u8]) -> bool {
        let mut parts = name.split(|byte| *byte == b'_');
        has(&self.gives_up, name) || parts.any(|part| has(&self.gives_up_parts, part))
    }

    /// How the value of a macro with a version of CUDA's is made; `None` for any other macro.
    pub fn version(&self, name: &[u8]) -> Option<VersionForm> {
        let name = std::str::from_utf8(name).ok()?;
        self.versions.get(name).copied()
    }

    /// Whether a release of CUDA's says what a macro counts: a library's own version it does not say.
    pub fn follows_release(&self, name: &[u8]) -> bool {
        let form = self.version(name);
        form.is_some_and(|form| !matches!(form, VersionForm::None))
    }

    /// MUSA's macro that is there where a macro with a version of CUDA's is.
    pub fn defined_as(&self, name: &[u8]) -> Option<&str> {
        let name = std::str::from_utf8(name).ok()?;
        self.defined_as.get(name).map(String::as_str)
    }
}

/// How a macro's value follows from CUDA's version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionForm {
    /// `12040` for 12.4.
    Thousands,
    /// `12` for 12.4.
    Major,
    /// `4` for 12.4.
    Minor,
    /// The number is not CUDA's version, but another library's.
    None,
}

impl VersionForm {
    /// The macro's value for a version of CUDA's.
    pub fn value(self, (major, minor): (u32, u32)) -> Option<u32> {
        match self {
            Self::Thousands => Some(major * 1000 + minor * 10),
            Self::Major => Some(major),
            Self::Minor => Some(minor),
            Self::None => None,
        }
    }

    /// The version of CUDA's, major and minor, that the macro's value stands for.
    pub fn release(self, value: u32) -> Option<(u32, u32)> {
        match self {
            Self::Thousands => Some((value / 1000, value % 1000 / 10)),
            Self::Major => Some((value, 0)),
            Self::Minor | Self::None => None,
        }
    }
}

/// Words around warps, in lower case and without underscores.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarpWords {
    /// Threads in a warp of CUDA's.
    pub threads: u64,
    /// Names of the number of threads in a warp.
    pub size: Vec<String>,
    /// Names of a thread's number.
    pub thread: Vec<String>,
    /// Names of the number of a warp, or of a thread in it.
    pub result: Vec<String>,
    /// Calls whose first argument is a mask of the warp's threads, as they are written.
    pub masked: Vec<String>,
}

/// Words around groups of all threads of a grid, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridWords {
    /// Functions that give the group.
    pub makers: Vec<String>,
    /// Its types.
    pub types: Vec<String>,
    /// Its methods, and functions of it, that wait for all threads.
    pub waits: Vec<String>,
}

/// Words and sizes of shared memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedMemory {
    /// What a block of CUDA's may have without asking for more, in bytes.
    pub limit: u64,
    /// Sizes of types, in bytes. Any other type counts as one byte, so that an unknown size never makes an array
    /// count as too large.
    pub sizes: BTreeMap<String, u64>,
}

/// Words around compute capabilities.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapabilityWords {
    /// Members of device properties, as they are written.
    pub members: Vec<String>,
    /// Names of device properties, in lower case and without underscores.
    pub owners: Vec<String>,
    /// Names of one part of a capability, in lower case and without underscores.
    pub parts: Vec<String>,
    /// Names of a capability, in lower case and without underscores.
    pub variables: Vec<String>,
    /// Calls that give it, as they are written.
    pub calls: Vec<String>,
    /// What comes before the number in names such as `Sm80`, in lower case and without
    /// underscores.
    pub numbered: Vec<String>,
    /// Capabilities as numbers, `80` for 8.0.
    pub numbers: Vec<u64>,
}

impl CapabilityWords {
    /// A number below this may be one part of a capability.
    pub const MAJOR_LIMIT: u64 = 20;

    /// Whether a number is a capability, as `80` or as `800`.
    pub fn lists(&self, number: u64) -> bool {
        let tenfold = number.is_multiple_of(10) && self.numbers.contains(&(number / 10));
        self.numbers.contains(&number) || tenfold
    }

    /// Whether a number is a capability or the first part of one, `8` for 8.0.
    pub fn lists_part(&self, number: u64) -> bool {
        self.lists(number) || self.numbers.iter().any(|one| one / 10 == number)
    }

    /// The capability that a name has in it, such as `Sm100a`; `name` in lower case and without
    /// underscores.
    pub fn number_in(&self, name: &str) -> Option<u64> {
        let digits = self
            .numbered
            .iter()
            .find_map(|front| name.strip_prefix(front.as_str()))?
            .trim_end_matches(|letter: char| letter.is_ascii_alphabetic())
            .parse();
        digits.ok().filter(|number| self.lists(*number))
    }
}
