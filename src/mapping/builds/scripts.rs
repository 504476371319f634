//! The commands, variables, paths and packages of scripts that have to do with CUDA: `mappings/build/scripts.toml`.

use crate::word_list::contains_one;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::releases::ReleaseMarks;

/// The table `mappings/build/scripts.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Scripts {
    /// Commands and functions whose arguments are for people.
    pub messages: Vec<String>,
    /// Instructions that describe an image for people.
    pub describing: Vec<String>,
    /// Commands in front of another one.
    pub wrappers: Vec<String>,
    /// Commands that take names of programs.
    pub seekers: Vec<String>,
    /// Commands that look for words, files or packages.
    pub searchers: Vec<String>,
    /// Commands among `searchers` that compare.
    pub comparers: Vec<String>,
    /// Words with which `comparers` compare.
    pub comparisons: Vec<String>,
    /// Operators with which `comparers` ask something of a variable whose name stands behind the operator.
    pub asking: Vec<String>,
    /// Commands that load software for a session.
    pub module_loaders: Vec<String>,
    /// Commands whose arguments are names of options of a script's own.
    pub option_parsers: Vec<String>,
    /// Commands that change the text which they are fed with.
    pub editors: Vec<String>,
    /// Commands that remove, link or move their arguments.
    pub placers: Vec<String>,
    /// Commands that copy their arguments to the place that the last of them names.
    pub copiers: Vec<String>,
    /// Options that say where an installer of NVIDIA's puts CUDA.
    pub installing_into: Vec<String>,
    /// Commands that take names of variables.
    pub naming: Vec<String>,
    /// Variables that one library alone reads.
    pub library_variables: LibraryVariables,
    /// Commands that fetch packages.
    pub installers: Vec<String>,
    /// Commands that fetch packages of Python's alone.
    pub python_installers: Vec<String>,
    /// Commands that fetch anything.
    pub fetchers: Vec<String>,
    /// Words of a command that fetches packages which say that packages follow.
    pub installing: Vec<String>,
    /// The words among these for which texts in Python are looked through.
    pub fetching: Vec<String>,
    /// Words of such a command which say that packages are taken away.
    pub removing: Vec<String>,
    /// Options of such a command behind which something else stands than a package.
    pub valued: Vec<String>,
    /// What ends names of files that list packages.
    pub list_endings: Vec<String>,
    /// Programs that run a document as a script of a shell.
    pub shells: Vec<String>,
    /// Commands that run Python.
    pub pythons: Vec<String>,
    /// Variables that hold the compiler where nothing else says so.
    pub compilers: Vec<String>,
    /// Compilers of other vendors.
    pub other_compilers: Vec<String>,
    /// Functions of make's that put their first argument in front of each word of their second.
    pub prefixers: Vec<String>,
    /// Functions of make that put one text in place of another.
    pub replacers: Vec<String>,
    /// Parts of names that hold lists of packages.
    pub package_names: Vec<String>,
    /// Parts of paths of files for other platforms.
    pub others: Vec<String>,
    /// Parts of paths of files for CUDA.
    pub own: Vec<String>,
    /// The key of a package's version in a table of its own.
    pub version_key: String,
    /// Keys whose texts are no packages.
    pub not_packages: Vec<String>,
    /// Keys of conda's recipes below which no packages stand.
    pub not_conda: Vec<String>,
    /// How conda's recipes ask for CUDA's compiler.
    pub conda_compilers: Vec<String>,
    /// Keys of conda's recipes whose addresses and texts are for people.
    pub conda_about: Vec<String>,
    /// Endings of makefiles whose variables and conditions a script gives that configures the build.
    pub configured: Vec<String>,
    /// Scripts that configure a build.
    pub configurers: Vec<String>,
    /// What options of such a script begin with by which it turns something on.
    pub turning_on: Vec<String>,
    /// Options with which the compiler does not link.
    pub not_linking: Vec<String>,
    /// Parts of names of the runtime's library.
    pub runtimes: Vec<String>,
    /// What ends names of objects.
    pub objects: Vec<String>,
    /// The options by which mcc links the runtime's library.
    pub runtime_options: String,
    /// How make counts `OPTIONS` in only where the variable `NAME` holds MUSA's compiler.
    pub where_chosen: String,
    /// Options that name the file that the compiler writes.
    pub outputs: Vec<String>,
    /// What ends names of files that are linked.
    pub linked: Vec<String>,
    /// What names of `CMake`'s variables for CUDA begin with.
    pub cmake_fronts: Vec<String>,
    /// The key of `pyproject.toml` behind which the names of `CMake`'s variables stand.
    pub cmake_defines: String,
    /// The key of `pyproject.toml` for a list of `CMake`'s options.
    pub cmake_arguments: String,
    /// Where this comes from.
    pub source: String,
    /// The folder of the toolkit.
    pub toolkit: Toolkit,
    /// Images made for CUDA.
    pub images: Images,
    /// How builds for a release of CUDA's are marked.
    pub releases: ReleaseMarks,
    /// Places from which software for NVIDIA's GPUs is fetched.
    pub downloads: Downloads,
    /// Programs that start containers.
    pub containers: Containers,
    /// Packages of systems and of conda.
    pub packages: SourcedAdvice,
    /// Pipelines.
    pub pipelines: Pipelines,
    /// Bazel.
    pub bazel: Bazel,
}

/// Variables that one library alone reads, and that scripts set for the programs which they start.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryVariables {
    /// What their names begin with.
    pub fronts: Vec<String>,
    /// What to do about one that no table has.
    pub advice: String,
}

/// The folder of CUDA's toolkit, and the places in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Toolkit {
    /// CUDA's.
    pub root: String,
    /// MUSA's.
    pub to: String,
    /// Other places of CUDA's, which stay.
    pub other_roots: Vec<String>,
    /// Folders in the toolkit with what it has for one machine.
    pub machines: Vec<String>,
    /// Names of such a folder, wherever it lies.
    pub folders: Vec<String>,
    /// What such names begin with where a version stands behind.
    pub versioned_fronts: Vec<String>,
    /// MUSA's variables that hold it.
    pub variables: Vec<String>,
    /// What paths have in them of environments in which it may lie, and MUSA's does not, in lower case.
    elsewhere: Vec<String>,
    /// How names in programs that hold it end, in their own case.
    pub homes: Vec<String>,
    /// Functions of Python's that join the parts of a path.
    pub joins: Vec<String>,
    /// What ends names of variables that hold a folder.
    pub folder_endings: Vec<String>,
    /// Folders of Windows' with a blank in their names.
    pub spaced: Vec<String>,
    /// What ends names of Windows' shared libraries.
    pub windows_library: String,
    /// Folders of NVIDIA's, in lower case.
    pub vendor_folders: Vec<String>,
    /// What names of others begin with.
    pub vendor_fronts: Vec<String>,
    /// What paths of files begin with that NVIDIA's driver makes.
    pub driver_files: Vec<String>,
    /// What to do where a program opens a file of NVIDIA's driver.
    pub driver_advice: String,
    /// What the folders of CUDA's toolkit are called in MUSA's.
    pub parts: BTreeMap<String, String>,
    /// Where this comes from.
    pub source: String,
}

impl Toolkit {
    /// The folder that CUDA's lies in, without a slash at its end, and its name there.
    pub fn folder_and_name(&self) -> (&str, &str) {
        self.root.rsplit_once('/').unwrap_or(("", &self.root))
    }

    /// Whether a path, in lower case, leads into the environment of a package manager.
    pub fn is_in_environment(&self, path: &str) -> bool {
        contains_one(path, &self.elsewhere)
    }
}

/// Images made for CUDA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Images {
    /// What their names hold.
    pub words: Vec<String>,
    /// Keys and variables that hold an image's name.
    pub keys: Vec<String>,
    /// What stands before the number of a release in their tags.
    pub tags: Vec<String>,
    /// What ends names of commands that run an image.
    pub runners: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

impl Images {
    /// Whether a name is that of an image for CUDA. A label of Bazel's, `//tools/cuda:toolchain`, is none, and neither is a
    /// tag alone, `build:manylinux`.
    pub fn are_cudas(&self, text: &str, releases: &ReleaseMarks) -> bool {
        let (name, tag) = text.rsplit_once(':').unwrap_or((text, ""));
        let is_named = contains_one(name, &self.words);
        let tells_release = |mark: &String| {
            let mut behind = tag.split(mark.as_str()).skip(1);
            behind.any(|one| {
                let number = one.strip_prefix('-').unwrap_or(one);
                number.starts_with(|first: char| first.is_ascii_digit())
            })
        };
        let is_tagged = || name.contains('/') && self.tags.iter().any(tells_release);
        !text.contains("//") && (is_named || releases.are_in_address(text) || is_tagged())
    }
}

/// Places from which software for NVIDIA's GPUs is fetched.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Downloads {
    /// Conda's channels for NVIDIA's software, by their names, or by what their names begin with, up to a slash.
    pub channels: Vec<String>,
    /// What their addresses hold.
    pub places: Vec<String>,
    /// `CMake`'s keywords behind which an address is fetched from.
    pub keywords: Vec<String>,
    /// What ends addresses of files that are fetched, whatever stands before them.
    pub archives: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// What to do where it is the project that is ported.
    pub original: String,
    /// Where this comes from.
    pub source: String,
}

impl Downloads {
    /// Whether an address holds one of NVIDIA's places.
    pub fn is_place(&self, address: &str) -> bool {
        contains_one(address, &self.places)
    }

    /// Whether a name is that of a channel of conda's: `nvidia`, `nvidia/label/cuda-12.1.0`.
    pub fn is_channel(&self, name: &str) -> bool {
        self.channels
            .iter()
            .any(|one| name == one || one.ends_with('/') && name.starts_with(one.as_str()))
    }
}

/// How programs that start containers are asked for NVIDIA's GPUs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Containers {
    /// The programs.
    pub programs: Vec<String>,
    /// Words behind which the options of a container stand.
    pub starts: Vec<String>,
    /// Keys of pipelines whose texts are options of a container.
    pub keys: Vec<String>,
    /// The options, each with what its value begins with.
    pub options: BTreeMap<String, Vec<String>>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// What to do about something.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcedAdvice {
    /// The advice that a finding gives.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Keys of pipelines.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipelines {
    /// Keys whose texts a shell runs.
    pub scripts: Vec<String>,
    /// Keys below which variables get values.
    pub variables: Vec<String>,
    /// Keys whose texts are for people.
    pub prose: Vec<String>,
    /// What leads to a repository of NVIDIA's.
    pub owners: Vec<String>,
    /// Tables of `pyproject.toml` that are pipelines, with those in them.
    pub tables: Vec<String>,
    /// What to do about the rest.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Rules of Bazel's for CUDA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bazel {
    /// Their names.
    pub rules: Vec<String>,
    /// What to do about them.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}
