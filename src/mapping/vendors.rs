//! Vendors whose code stands next to CUDA's in a project, and the marks by which that code is known:
//! `mappings/vendors.toml`.

use serde::{Deserialize, Serialize};

/// The vendor that is the target.
const TARGET_VENDOR: &str = "musa";

/// A vendor whose code stands next to CUDA's in a project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Vendor {
    /// A short name, `musa` for the target.
    pub name: String,
    /// A macro with one of these parts, split at `_`, belongs to the vendor.
    pub words: Vec<String>,
    /// Macros that belong to it without such a part.
    pub macros: Vec<String>,
    /// What names of its API start with; one of two letters counts before a capital only.
    pub stems: Vec<String>,
    /// Names by which a file that already tells this vendor's tensors apart is known.
    #[serde(default)]
    pub dispatches: Vec<String>,
    /// Macros that exist in one pass of its compiler only.
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
    /// Words in names of folders with code for it.
    #[serde(default)]
    pub folders: Vec<String>,
    /// Headers that only its compiler has; one that ends in `/` stands for a folder.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Headers of CUDA's names that code for it includes, too.
    #[serde(default)]
    pub shared_headers: Vec<String>,
    /// Namespaces of its libraries.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

impl Vendor {
    /// Whether a macro says something about this vendor.
    pub fn owns_macro(&self, name: &str) -> bool {
        self.macros.iter().any(|owned| owned == name)
            || name
                .split('_')
                .any(|part| self.words.iter().any(|word| word == part))
    }

    /// Whether an identifier starts like a name of the vendor's API.
    pub fn owns_name(&self, name: &str) -> bool {
        self.stems.iter().any(|stem| {
            name.strip_prefix(stem.as_str()).is_some_and(|rest| {
                stem.len() > 2 || rest.starts_with(|next: char| next.is_ascii_uppercase())
            })
        })
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
    /// The vendors, the target among them.
    pub(super) vendor: Vec<Vendor>,
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
