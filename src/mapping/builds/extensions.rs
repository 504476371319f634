//! The arguments of the builders of Python's extensions: `mappings/build/extensions.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Builders of extensions of `PyTorch`'s and of `torch_musa`'s.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Extensions {
    /// `torch_musa`'s module.
    pub home: String,
    /// Where that is known from.
    pub home_source: String,
    /// The builder for extensions without a GPU.
    pub host_builder: String,
    /// The command that builds all of them.
    pub command: String,
    /// Builders that take their flags by compiler only, by dotted names.
    pub builders: Vec<String>,
    /// The keyword for these flags.
    pub arguments: String,
    /// The host's compiler, as a key of flags.
    pub host_key: String,
    /// All keys of the host's compiler.
    pub host_keys: Vec<String>,
    /// Where that is known from.
    pub arguments_source: String,
    /// The option that `torch_musa` gives mcc itself where it links device code.
    pub device_link: String,
    /// Names of lists of flags that tell a part of a build by themselves.
    pub marks: Vec<String>,
    /// Keys of flags, and MUSA's.
    pub compilers: BTreeMap<String, String>,
    /// What names a list of flags for nvcc.
    pub flag_names: FlagNames,
    /// What names libraries.
    pub libraries: Libraries,
    /// How lists are added to.
    pub methods: Methods,
    /// What to do.
    pub advice: Advice,
    /// Sources for the host that need MUSA's compiler.
    pub host: Host,
    /// What builds an extension where there is no GPU.
    pub gates: Gates,
}

/// What builds an extension where there is no GPU.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// Variables that force a build; one that reads any of them has what it needs.
    pub variables: Vec<String>,
    /// The question for MUSA's, as an expression.
    pub asks: String,
    /// The module that it needs.
    pub module: String,
    /// Where this is from.
    pub source: String,
}

/// What names a list of flags for nvcc: a word of each kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlagNames {
    /// Words for the compiler.
    pub compilers: Vec<String>,
    /// Words for flags.
    pub flags: Vec<String>,
    /// Where this is from.
    pub source: String,
}

impl FlagNames {
    /// Whether a name says that it holds flags for nvcc.
    pub fn hold(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let has = |words: &[String]| {
            let mut parts = name.split('_');
            parts.any(|part| words.iter().any(|word| word == part))
        };
        has(&self.compilers) && has(&self.flags)
    }
}

/// Names that hold libraries.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Libraries {
    /// Names of variables and arguments that hold bare names of libraries: `cudart`.
    pub names: Vec<String>,
    /// Names of variables and arguments that hold options of the linker: `-lcudart`.
    pub linked: Vec<String>,
    /// Where this is from.
    pub source: String,
}

/// Methods of lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Methods {
    /// Methods that add to a list.
    pub names: Vec<String>,
}

/// Advice about code that stays.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advice {
    /// About flags for architectures.
    pub targets: String,
    /// About a flag of which no counterpart is known.
    pub unknown: String,
    /// About flags that nobody could follow to a compiler.
    pub left: String,
    /// About a library without one.
    pub library: String,
    /// About sources for the host that need MUSA's compiler.
    pub host: String,
    /// About flags that are not listed by compiler.
    pub arguments: String,
    /// About sources that keep CUDA's ending.
    pub sources: String,
}

/// Sources for the host that need MUSA's compiler.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Headers that make it so.
    pub headers: Vec<String>,
    /// What says so among the flags of the host's compiler.
    pub flag: String,
    /// Endings of such sources.
    pub endings: Vec<String>,
    /// Where this is from.
    pub source: String,
}
