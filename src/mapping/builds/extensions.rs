//! The arguments of the builders of Python's extensions: `mappings/build/extensions.toml`.

use std::collections::BTreeMap;

use crate::word_list::has;
use serde::{Deserialize, Serialize};

/// Builders of extensions of `PyTorch`'s and of `torch_musa`'s.
#[derive(Debug, Serialize, Deserialize)]
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
    /// How Python puts together the sources that builders are given.
    pub sources: SourceLists,
}

/// How Python puts together the sources that builders are given.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceLists {
    /// The keyword of the sources.
    pub keyword: String,
    /// The place of the sources among the arguments of a builder.
    pub position: usize,
    /// Methods that add to a list.
    pub adding: Vec<String>,
    /// Where this is from.
    pub source: String,
    /// How far values are followed.
    pub limits: SourceLimits,
    /// What hands sources to compilers.
    pub builders: Vec<SourceBuilder>,
    /// What functions make of their arguments, by dotted names.
    pub functions: BTreeMap<String, PathStep>,
    /// What methods and attributes make of a path or a text.
    pub members: BTreeMap<String, PathStep>,
    /// Names with texts, by dotted names.
    pub constants: BTreeMap<String, String>,
    /// How a build asks for variables that decide whether it has an extension.
    pub switches: BuildSwitches,
}

/// How a build asks for a variable of the environment that decides whether it has an extension.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSwitches {
    /// Functions that give the value of a variable, by dotted names.
    pub get: Vec<String>,
    /// The mapping of all variables.
    pub mapping: String,
    /// What people set such variables to.
    pub values: Vec<String>,
    /// Names of classes that build what the files of `CMake`'s describe.
    pub cmake: Vec<String>,
    /// Where this is from.
    pub source: String,
}

/// How far the values of a tree's Python are followed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SourceLimits {
    /// Names and items that lead to one another.
    pub names: usize,
    /// Calls of one function.
    pub calls: usize,
    /// Expressions inside each other.
    pub depth: usize,
    /// Expressions of a tree.
    pub steps: usize,
    /// Texts that are put into another one each by itself.
    pub texts: usize,
    /// Patterns of files that are looked up.
    pub patterns: usize,
    /// Folders at the front of a path that may be others in the tree than where the build runs.
    pub folders: usize,
    /// Folders above a path that are asked for.
    pub folders_above: usize,
    /// Bytes of a module.
    pub module_bytes: usize,
}

/// What hands sources to compilers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SourceBuilder {
    /// The end of its dotted name.
    pub name: String,
    /// Whether nvcc gets its sources of CUDA's.
    #[serde(default)]
    pub is_cudas: bool,
    /// Whether mcc gets its sources of MUSA's.
    #[serde(default)]
    pub is_musas: bool,
}

impl SourceBuilder {
    /// The last part of its name.
    pub fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Whether a dotted name means it.
    pub fn is(&self, name: &str) -> bool {
        name.strip_suffix(self.name.as_str())
            .is_some_and(|front| front.is_empty() || front.ends_with('.'))
    }
}

/// What a function or a method makes of paths and texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathStep {
    /// One path of all.
    Join,
    /// The first as it is.
    Same,
    /// The elements of all.
    All,
    /// The second as it is: the first chooses among its elements.
    Second,
    /// The elements of the second, each as the first makes it.
    Mapped,
    /// The folder of a path.
    Folder,
    /// The folders above a path.
    Folders,
    /// The last part of a path.
    Name,
    /// A path without its ending.
    Stem,
    /// The last part of a path without its ending.
    NameStem,
    /// The files that a pattern means.
    Pattern,
    /// The names of the files in a folder.
    Entries,
    /// A folder and those below it, with the names of folders and files.
    Walk,
    /// The files in a folder that a pattern means.
    Below,
    /// The files below a folder that a pattern means.
    Deep,
    /// Elements of all, side by side.
    Pairs,
    /// Elements with their numbers.
    Numbered,
    /// A text with another in place of a part of it.
    Replace,
    /// A path with another ending.
    Ending,
    /// A text with others put in.
    Format,
    /// The folder that the build runs in.
    Here,
}

/// What builds an extension where there is no GPU.
#[derive(Debug, Serialize, Deserialize)]
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
#[derive(Debug, Serialize, Deserialize)]
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
    pub fn holds_flags(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let has = |words: &[String]| {
            let mut parts = name.split('_');
            parts.any(|part| has(words, part))
        };
        has(&self.compilers) && has(&self.flags)
    }
}

/// Names that hold libraries.
#[derive(Debug, Serialize, Deserialize)]
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
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Methods {
    /// Methods that add to a list.
    pub names: Vec<String>,
}

/// Advice about code that stays.
#[derive(Debug, Serialize, Deserialize)]
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
#[derive(Debug, Serialize, Deserialize)]
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
