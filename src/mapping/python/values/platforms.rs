//! Words that projects use for platforms, backends and tests, and the files in which programs start.

use crate::word_list::has;
use serde::{Deserialize, Serialize};

/// When a name by which projects tell the platform is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlatformReport {
    /// At every use, and it stays.
    Always,
    /// Where code tests whether it is absent.
    WhenAbsent,
    /// Where code tests for other platforms, too; there it stays.
    BesideOthers,
    /// Where its result is compared with numbers; the name itself is renamed.
    Numbers,
    /// Where code looks in it for a text that MUSA's never has.
    Searched,
    /// At every use: a question that is answered with no on MUSA, whatever it stands for.
    Denies,
}

/// A name by which projects tell the platform.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlatformName {
    /// A dotted name.
    pub name: String,
    /// When it is reported.
    pub report: PlatformReport,
    /// What a function of another package asks itself.
    #[serde(default)]
    pub asks: Option<String>,
    /// The texts of CUDA's that code looks for in it.
    #[serde(default)]
    pub texts: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Packages that are not `PyTorch`'s and have devices of their own.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnDevices {
    /// Dotted names of modules.
    pub packages: Vec<String>,
    /// What a text that names such a device is.
    pub what: String,
    /// How they call CUDA's device.
    pub texts: Vec<String>,
    /// Functions and methods that give `PyTorch`'s objects, or memory of the host.
    #[serde(default)]
    pub leaves: Vec<String>,
    /// Methods that objects of no other package have.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Members that their objects have in common with `PyTorch`'s.
    #[serde(default)]
    pub members: Vec<String>,
    /// Whether what is made with a device raises an error for one of MUSA's.
    #[serde(default)]
    pub refuses: bool,
    /// Whether a module that imports one, and does not speak of torch, has no other devices.
    #[serde(default)]
    pub alone: bool,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

impl OwnDevices {
    /// Whether a dotted name is that of a package of these, or of something in it.
    pub fn has(&self, name: &str) -> bool {
        self.packages.iter().any(|package| {
            let rest = name.strip_prefix(package.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Whether a text names CUDA's device as they call it.
    pub fn is_device(&self, text: &[u8]) -> bool {
        self.texts.iter().any(|device| {
            let rest = text.strip_prefix(device.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b":"))
        })
    }
}

/// Words for platforms.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorWords {
    /// Words for platforms besides CUDA and MUSA.
    pub others: Vec<String>,
    /// Words in `others` for platforms that `PyTorch` has no device of.
    #[serde(rename = "no-devices")]
    pub no_devices: Vec<String>,
    /// Words in `others` for platforms that no machine with another GPU is.
    #[serde(rename = "no-rivals")]
    pub no_rivals: Vec<String>,
    /// Methods in which a class checks its fields when an object is made.
    #[serde(rename = "checking-methods")]
    pub checking_methods: Vec<String>,
    /// Names of implementations: beside one, CUDA's is one, too.
    pub implementations: Vec<String>,
    /// MUSA's.
    pub target: Vec<String>,
    /// The maker of MUSA's GPUs, in names of folders that stand beside those of others.
    pub makers: Vec<String>,
    /// CUDA's, in names of projects' own.
    pub own: Vec<String>,
    /// Words for any GPU: a name with one of them is not MUSA's beside one with a word of MUSA's.
    #[serde(rename = "any-gpu")]
    pub any_gpu: Vec<String>,
    /// The device that is there always.
    pub host: Vec<String>,
    /// The last words of names of objects that are asked for the platform.
    pub objects: Vec<String>,
    /// What a module begins with that is called after a library of CUDA's.
    #[serde(rename = "own-library")]
    pub own_library: String,
    /// What one begins with that is called after MUSA's.
    #[serde(rename = "target-library")]
    pub target_library: String,
    /// Folders of tests.
    pub tests: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// What tells the purpose of the question whether there is a GPU.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AvailabilityWords {
    /// Calls that leave tests out, in lower case.
    pub guards: Vec<String>,
    /// Members of the module for CUDA that take a device, or give the one that is taken.
    pub takes: Vec<String>,
    /// Names, in lower case, that say what the platform is.
    pub tells: Vec<String>,
    /// Parts of names, in lower case, that say that a package or a library is there.
    pub features: Vec<String>,
    /// Names of modules and functions that say what there is.
    pub reports: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Names of backends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProcessGroups {
    /// Backends of process groups, in lower case.
    pub backends: Vec<String>,
    /// Backends for hosts, which stand beside the others in lists.
    pub hosts: Vec<String>,
    /// Backends that need CUDA.
    pub cudas: Vec<String>,
    /// Functions of torch's that take one, and that may lack MUSA's.
    pub takers: Vec<String>,
    /// Backends of other platforms' process groups.
    pub others: Vec<String>,
    /// The beginnings of names of functions outside of a tree that take such a name as a word of their own, or hand it to another
    /// program.
    pub registries: Vec<String>,
    /// Names for what a project has besides process groups: a module that has one of these names may have modes of its
    /// own with the names of the backends.
    pub own: Vec<String>,
    /// Where this is known from.
    pub source: String,
}

/// What tests put in the place of `PyTorch`'s objects.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StandIns {
    /// Words in the names of their classes.
    pub words: Vec<String>,
    /// Calls that make an object with the members that the keywords name, by their last names.
    pub makers: Vec<String>,
    /// How that is known.
    pub source: String,
}

/// Where programs start, and what they import there.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryPoints {
    /// The package for run time.
    pub import: String,
    /// Its function that tells whether MUSA is the platform.
    pub asks: String,
    /// File names with which a package or a test run starts.
    pub files: Vec<String>,
    /// Names of files that build a package.
    pub builds: Vec<String>,
    /// Names of files that other programs load, and of folders with such files.
    pub loaded: Vec<String>,
    /// Modules that never bring torch in.
    pub standard: Vec<String>,
    /// Packages that never do.
    pub harmless: Vec<String>,
    /// Packages that give `PyTorch`'s modules and tensors.
    pub torchs: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

impl EntryPoints {
    /// Whether a file of this path builds the package, by its name.
    pub fn is_build(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        has(&self.builds, name)
    }

    /// Whether a file of this path is one that other programs load: Sphinx's `conf.py`, a configuration in Python.
    pub fn is_loaded(&self, path: &str) -> bool {
        let mut parts = path.split('/');
        parts.any(|part| has(&self.loaded, part))
    }

    /// Whether a package gives `PyTorch`'s modules and tensors, so that code with them may do without an import of torch.
    pub fn gives_torchs(&self, root: &str) -> bool {
        has(&self.torchs, root)
    }

    /// Whether a package never brings torch in.
    pub fn is_harmless(&self, root: &str) -> bool {
        let mut known = self.standard.iter().chain(&self.harmless);
        known.any(|one| one == root)
    }
}
