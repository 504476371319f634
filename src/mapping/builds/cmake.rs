//! The names that `CMake` has for CUDA, and the names that builds for MUSA use in their place:
//! `mappings/build/cmake.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::walk_limits::WalkLimits;
use crate::ArchitectureWords;
use crate::word_list::{contains_one, has, starts_with_one};

/// The table `mappings/build/cmake.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CMakeTable {
    /// The language that goes.
    pub language: String,
    /// Packages whose targets are NVIDIA's libraries.
    pub target_packages: Vec<String>,
    /// What stands before the name of a library in the name of its file.
    pub library_prefixes: Vec<String>,
    /// What ends the name of a library's file.
    pub library_suffixes: Vec<String>,
    /// Packages that bring the compiler.
    pub compiler_packages: Vec<String>,
    /// What names of the language and of the toolkit's module begin with.
    pub language_fronts: Vec<String>,
    /// What only a build for CUDA speaks of.
    pub marks: Vec<String>,
    /// Keywords before an argument that is for people.
    pub text_behind: Vec<String>,
    /// What makes MUSA's modules visible, and MUSA's compiler known.
    pub find: Find,
    /// Commands of `FindCUDA`.
    pub commands: BTreeMap<String, Counterpart>,
    /// Packages.
    pub packages: BTreeMap<String, Counterpart>,
    /// Variables that `CMake` or its modules read or set.
    pub variables: BTreeMap<String, Counterpart>,
    /// Properties of targets and sources that only the language reads.
    pub properties: BTreeMap<String, Counterpart>,
    /// The standard of C++.
    pub standard: CppStandard,
    /// Generator's expressions.
    pub expressions: Expressions,
    /// GPUs.
    pub architectures: Architectures,
    /// Flags that every source of MUSA's gets.
    pub flags: Flags,
    /// Commands of `CMake`'s own that compile no source which they name.
    pub plain_commands: Vec<String>,
    /// Commands that compute, print and decide, and change no more than variables of their own scope.
    pub local_commands: Vec<String>,
    /// Commands that may stand in a condition that only gives variables their values.
    pub value_commands: Vec<String>,
    /// Commands that compile the sources which they get for a target.
    pub target_makers: Vec<String>,
    /// By what a command is known that starts a compiler of CUDA's itself.
    pub compilers: Vec<String>,
    /// Words that ask for a version in a condition.
    pub comparisons: Vec<String>,
    /// Variables with a version of CUDA's.
    pub versions: Vec<String>,
    /// How the names of such variables end that have a part of a version.
    pub version_parts: VersionParts,
    /// What names begin with that come from `CMake`, its modules or NVIDIA.
    pub outside_fronts: Vec<String>,
    /// Last parts of names that ask whether there is something, in capitals.
    pub asking_parts: Vec<String>,
    /// Parts of names of variables that hold flags, in capitals.
    pub flag_names: Vec<String>,
    /// Parts of the names of CUDA's variables that hold flags, in capitals.
    pub cuda_flag_names: Vec<String>,
    /// What declares names.
    pub declaring: DeclaringCommands,
    /// How far the files of a tree are walked through.
    pub limits: WalkLimits,
}

impl CMakeTable {
    /// Whether a command is one of `CMake`'s own that compiles no source which it names.
    pub fn is_plain(&self, command: &str) -> bool {
        has(&self.plain_commands, command)
    }

    /// Whether a command is one of `CMake`'s own.
    pub fn is_cmakes(&self, command: &str) -> bool {
        let others = [&self.local_commands, &self.target_makers];
        let mut others = others.into_iter().flatten();
        self.is_plain(command) || others.any(|one| one == command)
    }

    /// Whether a name asks for CUDA itself, and for nothing that a build for CUDA may have or not: `USE_CUDA`, `CUDA_FOUND`.
    pub fn asks_for_cuda(&self, name: &str) -> bool {
        let is_asking = |part: &&str| {
            let mut words = self.asking_parts.iter();
            words.any(|word| word.eq_ignore_ascii_case(part))
        };
        let mut parts = name.rsplit('_').skip_while(is_asking);
        let is_package = |part: &str| {
            let mut packages = self.compiler_packages.iter();
            packages.any(|one| one.eq_ignore_ascii_case(part))
        };
        parts.next().is_some_and(is_package)
    }

    /// Whether a word of a condition compares what stands around it.
    pub fn compares(&self, word: &str) -> bool {
        has(&self.comparisons, word)
    }

    /// Whether a variable's name says that it holds flags.
    pub fn is_for_flags(&self, name: &str) -> bool {
        contains_one_of(name, &self.flag_names)
    }

    /// Whether a name of CUDA's says that the variable holds flags.
    pub fn is_cuda_for_flags(&self, name: &str) -> bool {
        contains_one_of(name, &self.cuda_flag_names)
    }

    /// The names of all commands that make targets: of `CMake`'s own, of CUDA's and of MUSA's.
    pub fn all_makers(&self) -> impl Iterator<Item = &str> {
        let own = self.target_makers.iter().map(String::as_str);
        own.chain(self.gpu_makers())
    }

    /// Whether a command of CUDA's or MUSA's makes a target.
    pub fn makes_target(&self, command: &str) -> bool {
        self.gpu_makers().any(|maker| maker == command)
    }

    /// The commands of CUDA's and MUSA's that make targets.
    pub fn gpu_makers(&self) -> impl Iterator<Item = &str> {
        let rows = self.commands.iter().filter(|(_, row)| row.makes.is_some());
        let pairs = rows.flat_map(|(name, row)| [Some(name.as_str()), row.to.as_deref()]);
        pairs.flatten()
    }

    /// MUSA's command that makes what one of `CMake`'s own makes.
    pub fn musa_maker(&self, plain: &str) -> Option<&str> {
        let mut rows = self.commands.values();
        rows.find_map(|row| {
            row.to
                .as_deref()
                .filter(|_| row.makes.as_deref() == Some(plain))
        })
    }

    /// The commands that make what one of `CMake`'s own makes, before they are translated: itself and CUDA's.
    pub fn makers<'t>(&'t self, plain: &'t str) -> impl Iterator<Item = &'t str> {
        let rows = self.commands.iter();
        let rows = rows.filter(move |(_, row)| row.makes.as_deref() == Some(plain));
        std::iter::once(plain).chain(rows.map(|(name, _)| name.as_str()))
    }

    /// CUDA's variables that become one of MUSA's.
    pub fn variables_of<'t>(&'t self, to: &'t str) -> impl Iterator<Item = &'t str> {
        let rows = self.variables.iter();
        let rows = rows.filter(move |(_, row)| row.to.as_deref() == Some(to));
        rows.map(|(name, _)| name.as_str())
    }
}

/// Whether a name has one of some texts in it, in any case.
fn contains_one_of(name: &str, parts: &[String]) -> bool {
    contains_one(name.to_ascii_uppercase(), parts)
}

/// Commands that give names a value, or make targets of them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DeclaringCommands {
    /// The name is their first argument.
    pub first: Vec<String>,
    /// The name is their second argument.
    pub second: Vec<String>,
    /// Each of their arguments may be one.
    pub all: Vec<String>,
    /// Their first argument is a name that the project gives elsewhere.
    pub uses: Vec<String>,
    /// How other such commands begin.
    pub use_fronts: Vec<String>,
}

impl DeclaringCommands {
    /// Whether the first argument of a command is a name that the project gives elsewhere.
    pub fn uses_name(&self, command: &str) -> bool {
        has(&self.uses, command) || starts_with_one(command, &self.use_fronts)
    }
}

/// What finds MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Find {
    /// Commands that find the package which they name first.
    pub commands: Vec<String>,
    /// Commands that name packages which were found.
    pub naming: Vec<String>,
    /// The line that lets modules be found.
    pub modules: String,
    /// The line that finds the compiler and its commands.
    pub compiler: String,
    /// The line that finds the compiler where a build may go on without it.
    pub if_there: String,
    /// The line that finds the libraries as targets.
    pub toolkit: String,
    /// Packages that bring these targets, in a tree or in its port.
    pub toolkits: Vec<String>,
    /// Packages that bring these commands, in a tree or in its port.
    pub packages: Vec<String>,
    /// Packages that bring `PyTorch`.
    pub torch: Vec<String>,
    /// Where that comes from.
    pub source: String,
}

/// What stands in the place of something.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Counterpart {
    /// Its name on MUSA.
    pub to: Option<String>,
    /// Whether it goes without a trace: only CUDA's language reads it.
    #[serde(default)]
    pub left_out: bool,
    /// What to write instead, where there is no such name.
    pub instead: Option<String>,
    /// The target that is linked in place of the libraries that a variable holds, or that a command links.
    pub target: Option<String>,
    /// Why a value that a project gives the variable is needless.
    pub set_by: Option<String>,
    /// What is asked in its place in a condition, behind what looks for a compiler of CUDA's.
    pub found: Option<String>,
    /// Whether a command gives its first argument, a variable, the options that name GPUs.
    #[serde(default)]
    pub names_gpus: bool,
    /// `CMake`'s own command that makes such a target.
    pub makes: Option<String>,
    /// The only value of a property that is CUDA's.
    pub value: Option<String>,
    /// The configuration that a variable has flags for, as `CMAKE_BUILD_TYPE` names it.
    pub configuration: Option<String>,
    /// The variable that is set before the target in place of a property.
    pub variable: Option<String>,
    /// Where that comes from.
    pub source: String,
}

/// The standard of C++ that device code is compiled with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CppStandard {
    /// The variable of CUDA's language.
    pub variable: String,
    /// The property of targets.
    pub property: String,
    /// What names of compile features begin with.
    pub feature: String,
    /// What names of compile features of C++ begin with.
    pub to_feature: String,
    /// The compiler's option, without its number.
    pub option: String,
    /// Where that comes from.
    pub source: String,
}

/// How names of variables end that have a part of a version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionParts {
    /// The number before the dot.
    pub major: String,
    /// The number behind it.
    pub minor: String,
}

/// Generator's expressions for CUDA's language.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expressions {
    /// What begins one whose flags only CUDA's sources get.
    pub fronts: Vec<String>,
    /// What asks for the language or its compiler.
    pub asks: Vec<String>,
    /// Where that comes from.
    pub source: String,
}

/// GPUs in builds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architectures {
    /// The variable of CUDA's language.
    pub variable: String,
    /// The property of targets.
    pub property: String,
    /// Words that stand for several of CUDA's.
    pub words: Vec<String>,
    /// Where that comes from.
    pub source: String,
}

impl Architectures {
    /// Whether a value is a list of CUDA's numbers and nothing else.
    pub fn is_list(&self, value: &str, numbers: &ArchitectureWords) -> bool {
        let is_one = |one: &str| numbers.number(one).is_some() || has(&self.words, one);
        !value.is_empty() && value.split(';').all(is_one)
    }
}

/// Flags that every source of MUSA's gets.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Flags {
    /// The variable with them.
    pub variable: String,
    /// What links by a keyword.
    pub link_keyword: String,
    /// What builds against `PyTorch` add.
    pub with_torch: String,
    /// The lines that make options for one source of the flags.
    pub options: Vec<String>,
    /// The option by which a compiler of C++ takes a source for MUSA's.
    pub language_option: String,
    /// The variable for the sources of MUSA's in a list of several languages.
    pub sources: String,
    /// The variable for the sources of a list that no ending makes MUSA's.
    pub other_sources: String,
    /// Properties for a source that a compiler of C++ takes for MUSA's.
    pub as_musa: String,
    /// The first of these properties, for a source whose options are set already.
    pub as_cxx: String,
    /// The property that adds to these options.
    pub more_options: String,
    /// Parts of what names the runtime's library where a build links it by itself.
    pub runtimes: Vec<String>,
    /// The line that links it to all targets behind it.
    pub link_runtime: String,
    /// The property that links it to a target that is there.
    pub with_runtime: String,
    /// Where that comes from.
    pub source: String,
}
