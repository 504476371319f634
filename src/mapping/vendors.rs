//! Vendors whose code stands next to CUDA's in a project, and the marks by which that code is known:
//! `mappings/vendors.toml`.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::word_list::{WordList, has};

/// The vendor that is the target.
const TARGET_VENDOR: &str = "musa";

/// A vendor whose code stands next to CUDA's in a project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Vendor {
    /// A short name, `musa` for the target.
    pub name: String,
    /// A macro with one of these parts, split at `_`, belongs to the vendor.
    #[serde(default)]
    pub words: Vec<String>,
    /// Macros that belong to it without such a part.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Macros with such a part that say of CUDA's platform that it is the one.
    #[serde(default)]
    pub cudas: Vec<String>,
    /// What names of its API start with; one of two letters counts before a capital only.
    #[serde(default)]
    pub stems: Vec<String>,
    /// Names by which a file that already tells this vendor's tensors apart is known.
    #[serde(default)]
    pub dispatches: Vec<String>,
    /// Macros that exist in one pass of its compiler only.
    #[serde(default)]
    pub device_pass: Vec<String>,
    /// The macro that its compiler defines wherever it compiles.
    #[serde(default)]
    pub compiler: Option<String>,
    /// What the names start with that only its compiler knows.
    #[serde(default)]
    pub builtins: Vec<String>,
    /// What names start with that nobody else's compiler or headers have.
    #[serde(default)]
    pub certain: Vec<String>,
    /// Keywords of its language for kernels.
    #[serde(default)]
    pub qualifiers: Vec<String>,
    /// Words in names of folders with code for it.
    #[serde(default)]
    pub folders: Vec<String>,
    /// Endings of files that only its compiler takes.
    #[serde(default)]
    pub endings: Vec<String>,
    /// Headers that only its compiler has; one that ends in `/` stands for a folder.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Headers of CUDA's names that code for it includes, too.
    #[serde(default)]
    pub shared_headers: Vec<String>,
    /// Namespaces of its libraries.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// What tells its Python; `None` where nothing is known.
    #[serde(default)]
    pub python: Option<PythonMarks>,
    /// Where this comes from.
    pub source: String,
}

/// What tells modules of Python, and questions in them, that are for one vendor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonMarks {
    /// Whose code it is, in words that follow "for".
    pub r#for: String,
    /// Words in names of modules, of folders and of questions; `gfx#` stands for `gfx` and a number.
    pub names: Vec<String>,
    /// Packages that only its machines have, by their dotted names.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Texts that only code for it has.
    #[serde(default)]
    pub marks: Vec<String>,
}

/// What only NVIDIA's GPUs have, and what tells modules of Python that need it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NvidiaOnly {
    /// What it is, in words that follow "need".
    pub what: String,
    /// Words in names of modules and folders; those with `_` are several words one behind the other.
    pub names: Vec<String>,
    /// Packages, by their dotted names.
    pub packages: Vec<String>,
    /// Texts that only code for it has.
    pub marks: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// The words of all vendors in names of Python, for lookups.
#[derive(Debug, Default)]
pub struct PlatformWords {
    exact: FxHashMap<String, usize>,
    /// What words begin with that go on with a digit.
    numbered: Vec<(String, usize)>,
    /// What searches for all of them.
    search: WordList,
}

impl PlatformWords {
    pub(super) fn of(vendors: &[Vendor]) -> Self {
        let mut words = Self::default();
        for (at, vendor) in vendors.iter().enumerate() {
            for name in vendor.python.iter().flat_map(|marks| &marks.names) {
                match name.strip_suffix('#') {
                    Some(front) => words.numbered.push((front.to_owned(), at)),
                    None => {
                        words.exact.insert(name.clone(), at);
                    }
                }
            }
        }
        let numbered = words.numbered.iter().map(|(front, _)| front);
        words.search = WordList::new(words.exact.keys().chain(numbered).cloned());
        words
    }

    /// Whether a name, in whatever case, may have a vendor's word among its parts. Cheaper than to take it apart.
    pub fn may_be_in(&self, name: &[u8]) -> bool {
        self.search.is_in_any_case(name)
    }

    /// The place in the table of the vendor whose word a part of a name, in lower case, is.
    pub fn vendor(&self, part: &str) -> Option<usize> {
        let numbered = || {
            let mut fronts = self.numbered.iter();
            let found = fronts.find(|(front, _)| {
                let rest = part.strip_prefix(front.as_str());
                rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
            });
            found.map(|&(_, at)| at)
        };
        self.exact.get(part).copied().or_else(numbered)
    }
}

/// How names of Python ask for a platform.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Questions {
    /// Parts of names that ask, beside the word of a platform: `is`, `available`.
    pub asks: Vec<String>,
    /// Parts with which a name says something else than that the platform is there.
    pub turns: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// What stands before the word of a vendor whose code was brought here: `PORT_FROM_OPENCL`.
const ORIGIN: &str = "FROM";

impl Vendor {
    /// Whether a macro says something about this vendor.
    pub fn owns_macro(&self, name: &str) -> bool {
        let has_part = || {
            let mut before = "";
            name.split('_').any(|part| {
                let is_origin = std::mem::replace(&mut before, part) == ORIGIN;
                !is_origin && has(&self.words, part)
            })
        };
        has(&self.macros, name) || has_part() && !has(&self.cudas, name)
    }

    /// Whether an identifier starts like a name of the vendor's API.
    pub fn owns_name(&self, name: &str) -> bool {
        self.stems.iter().any(|stem| {
            name.strip_prefix(stem.as_str()).is_some_and(|rest| {
                stem.len() > 2 || rest.starts_with(|next: char| next.is_ascii_uppercase())
            })
        })
    }

    /// Whether an identifier is one that nobody else's compiler or headers have.
    pub fn is_certain(&self, identifier: &[u8]) -> bool {
        let mut fronts = self.certain.iter();
        // Almost no word begins as one of them.
        let begins_alike = |front: &str| front.as_bytes().first() == identifier.first();
        fronts.any(|front| begins_alike(front) && identifier.starts_with(front.as_bytes()))
    }

    /// Whether this is the target.
    pub fn is_target(&self) -> bool {
        self.name == TARGET_VENDOR
    }
}

/// The file of them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Vendors {
    /// A header with at least so many aliases to the target is an alias header.
    pub(super) alias_header_minimum: usize,
    /// The qualifiers of CUDA's language for kernels.
    pub(super) qualifiers: Vec<String>,
    /// The vendors, the target among them.
    pub(super) vendor: Vec<Vendor>,
    /// What only NVIDIA's GPUs have.
    pub(super) nvidia_only: Vec<NvidiaOnly>,
    /// How Python asks for a platform.
    pub(super) questions: Questions,
    /// Macros that choose a platform by their values.
    pub(super) switch: Vec<PlatformSwitch>,
}

/// A macro whose value says for which platform a file is compiled.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlatformSwitch {
    /// The macro.
    pub r#macro: String,
    /// Its value for CUDA.
    pub cuda: i64,
    /// Where this comes from.
    pub source: String,
}
