//! Names of `PyTorch`'s, with their counterparts, and names of projects' own, with the kind of value that they
//! hold.

use serde::{Deserialize, Serialize};

use super::ValueKind;

/// Names that hold values of one kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueNames {
    /// The kind of value that these names hold.
    pub kind: ValueKind,
    /// Whole names.
    pub exact: Vec<String>,
    /// Ends of names.
    pub endings: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// A name and its counterpart.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamePair {
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
    /// Where this comes from.
    pub source: String,
}

/// Attributes that give the name of a device's type, which is that of a dispatch key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeNames {
    /// Their names.
    pub attributes: Vec<String>,
    /// The modules or classes that these types are attributes of.
    pub of: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Where a module lies that only an attribute leads to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportHome {
    /// Its name where it is used.
    pub module: String,
    /// Its name where it is imported.
    pub home: String,
    /// Where this comes from.
    pub source: String,
}

/// A member that is `PyTorch`'s on whatever object it is used.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub cuda: String,
    /// Whether it is called.
    pub call: bool,
    /// The row of python.toml that has its counterpart.
    pub row: String,
    /// The keywords that it takes, if it is called: a call with others is one of something else.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The last words of the names of objects that are none of `PyTorch`'s, if they have it.
    #[serde(default)]
    pub not_of: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Names of `PyTorch`'s outside its module for CUDA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TorchNames {
    /// The package.
    pub root: String,
    /// Words, in lower case, by which a name is known to be about CUDA.
    pub words: Vec<String>,
    /// Names with such a word (and members of these) that exist for every device, or that other rules
    /// report.
    pub of_all_devices: Vec<String>,
    /// What to do with a name of the module for CUDA that nobody knows a counterpart of.
    pub advice: String,
    /// What to do with a name of `PyTorch`'s outside of that module of which nobody knows a counterpart.
    pub elsewhere: String,
    /// The front of the names of torch's C module.
    pub private: String,
    /// What to do with one of those.
    pub private_advice: String,
    /// Where this is known from.
    pub source: String,
}

impl TorchNames {
    /// Whether a dotted name is that of something in the package.
    pub fn has(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.root.as_str());
        rest.is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether a word is the package's name.
    pub fn is_root(&self, word: &[u8]) -> bool {
        self.root.as_bytes() == word
    }
}

/// What builds extensions.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildNames {
    /// Modules whose names stay.
    pub modules: Vec<String>,
    /// Words of scripts that are run as builds, whatever they are called: a module that compiles sources when it is loaded
    /// has none of them.
    #[serde(rename = "script-words")]
    pub script_words: Vec<String>,
    /// What a name of CUDA's has in it, in lower case.
    pub words: Vec<String>,
    /// Names of compilers, as keys of flags.
    pub compilers: Vec<String>,
    /// Endings of sources for CUDA.
    pub sources: Vec<String>,
    /// Architectures of hosts, which a compiler takes behind an option of its own.
    #[serde(rename = "host-architectures")]
    pub host_architectures: Vec<String>,
    /// What to do about flags.
    #[serde(rename = "advice-flags")]
    pub advice_flags: String,
    /// What to do about a name that has a counterpart.
    pub advice: String,
    /// What to do about another.
    #[serde(rename = "advice-unlisted")]
    pub advice_unlisted: String,
    /// Where this comes from.
    pub source: String,
}
