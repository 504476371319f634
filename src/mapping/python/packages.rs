//! Python packages that are made for NVIDIA's GPUs: `mappings/packages.toml`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::entry_words::PackageWord;
use super::torch_pins::TorchPins;
use crate::Evidence;
use crate::read_table::{builtin_table, table};
use crate::word_list::contains_one;

/// The ways in which MUSA has a package's functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageRelation {
    /// MUSA has nothing in the package's place.
    None,
    /// A package of another name.
    Renamed,
    /// A build for MUSA with the same name.
    Twin,
    /// The package's own code takes its place, once that code is ported.
    Kernels,
    /// The package's kernels are Triton's, which MUSA's backend may run.
    Triton,
}

/// A package, or several of one kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its dotted names.
    #[serde(default)]
    pub import: Vec<String>,
    /// Its names in lists of requirements.
    #[serde(default)]
    pub requires: Vec<String>,
    /// The names of repositories that have it, beside those.
    #[serde(default)]
    repositories: Vec<String>,
    /// The way in which MUSA has the package's functions.
    pub relation: PackageRelation,
    /// The name of what has it.
    pub to: Option<String>,
    /// The distribution that has it, where that is called otherwise.
    pub install: Option<String>,
    /// The evidence for that.
    pub evidence: Option<Evidence>,
    /// What to do about it.
    pub advice: String,
    /// Whether the package can be installed and imported without NVIDIA's driver.
    #[serde(default)]
    pub anywhere: bool,
    /// What it compiles as a module is loaded, which takes the driver.
    #[serde(default)]
    pub eager: Option<Eager>,
    /// Where this comes from.
    pub source: String,
}

/// Decorators that compile a function at once where they get the types of its parameters, and at its first call otherwise.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eager {
    /// Their dotted names.
    pub decorators: Vec<String>,
    /// What to do about it.
    pub advice: String,
}

impl Package {
    /// What reports call it: the first of its dotted names, or of its names in lists.
    pub fn name(&self) -> &str {
        let mut names = self.import.iter().chain(&self.requires);
        names.next().map_or("", String::as_str)
    }
}

/// Which programs a tree has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptTable {
    /// The names of the files.
    pub files: Vec<String>,
    /// The heads of the lists.
    pub heads: Vec<String>,
    /// Words in the names of modules that are programs by themselves.
    pub programs: Vec<String>,
}

/// What describes a package that can be installed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptionTable {
    /// The names of the files, each with what such a file has in it.
    pub files: BTreeMap<String, Vec<String>>,
    /// Folders between such a file and the packages that it describes; the empty one is the file's own.
    pub layouts: Vec<String>,
    /// The files of a tree's root that say what its own build takes in.
    pub builds: Vec<String>,
}

/// Whether a letter may stand in the name of a package.
fn is_of_name(one: char) -> bool {
    one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.')
}

/// The name of a distribution without the release of CUDA's that it is built for: `spconv` of `spconv-cu118`, `cupy` of
/// `cupy-cuda12x`; None where the name says none.
fn without_release(name: &str) -> Option<&str> {
    let (stem, release) = name.rsplit_once('-')?;
    let number = release
        .strip_prefix("cuda")
        .or(release.strip_prefix("cu"))?;
    let number = number.strip_suffix('x').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit());
    is_number.then_some(stem)
}

/// Names with fewer letters are the beginnings of many words.
const SHORT: usize = 5;

/// All of them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packages {
    /// Functions that take the name of a package as a text.
    pub probes: Vec<String>,
    /// Functions that take the name of a distribution as a text.
    pub distributions: Vec<String>,
    /// What the names of NVIDIA's own distributions start with.
    front: String,
    /// What holds requirements.
    pub requirements: Vec<String>,
    /// Functions of projects' own that install a package.
    pub installs: Vec<String>,
    /// Parts of names that distributions alone have.
    #[serde(rename = "distribution-marks")]
    distribution_marks: Vec<String>,
    /// Words of names that say whether a package is there: `HAS_X`, `is_x_available`.
    pub presence: Vec<String>,
    /// Where the programs of a tree are listed.
    pub scripts: ScriptTable,
    /// What describes a package.
    pub descriptions: DescriptionTable,
    /// Requirements of one version of torch.
    pub torch: TorchPins,
    /// The packages.
    #[serde(rename = "package")]
    rows: Vec<Package>,
    /// The places of the packages, by the first part of a name that imports them.
    #[serde(skip)]
    by_root: FxHashMap<String, Vec<usize>>,
}

builtin_table!(Packages, table!("packages.toml").map(Self::indexed));

impl Packages {
    fn indexed(mut self) -> Self {
        for (at, one) in self.rows.iter().enumerate() {
            for name in &one.import {
                let root = name.split('.').next().unwrap_or(name);
                let places = self.by_root.entry(root.to_owned()).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        self
    }

    /// The packages, in the order of the table.
    pub fn rows(&self) -> &[Package] {
        &self.rows
    }

    /// The package of a name that reports use.
    pub fn named(&self, name: &str) -> Option<&Package> {
        self.rows.iter().find(|one| one.name() == name)
    }

    /// The package that a dotted name belongs to, and the name of the table that tells.
    pub fn holding(&self, path: &str) -> Option<(&Package, &str)> {
        let inside = |name: &&String| {
            path.strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let root = path.split('.').next()?;
        let rows = self.by_root.get(root)?.iter();
        rows.filter_map(|&at| self.rows.get(at))
            .find_map(|one| Some((one, one.import.iter().find(inside)?.as_str())))
    }

    /// Whether nothing but a distribution is called by a name of the table: `onnxruntime-gpu`.
    pub fn is_distribution(&self, name: &str) -> bool {
        contains_one(name, &self.distribution_marks)
    }

    /// Whether the whole of a text is a requirement: a name, perhaps with extras, and a version, a marker or an address.
    pub fn is_requirement(text: &str) -> bool {
        let text = text.trim();
        let rest = text.trim_start_matches(is_of_name);
        let mut behind = rest.trim_start();
        if let Some(extras) = behind.strip_prefix('[') {
            let Some((_, after)) = extras.split_once(']') else {
                return false;
            };
            behind = after.trim_start();
        }
        let begins = |one| matches!(one, '<' | '>' | '=' | '!' | '~' | ';' | '@');
        rest.len() < text.len() && (behind.is_empty() || behind.starts_with(begins))
    }

    /// The package that a requirement such as `flash-attn>=2` names, or `jax[cuda12]` with what it asks for besides.
    pub fn required(&self, requirement: &str) -> Option<(&Package, &str)> {
        let requirement = requirement.trim();
        let name = requirement.split(|one| !is_of_name(one)).next()?;
        let behind = requirement.get(name.len()..)?.trim_start();
        let extras = behind
            .strip_prefix('[')
            .and_then(|one| one.split(']').next());
        let extras = extras.unwrap_or_default().split(',').map(str::trim);
        let name = name.to_ascii_lowercase().replace(['_', '.'], "-");
        let found = |is: &dyn Fn(&str) -> bool| {
            let mut rows = self.rows.iter();
            rows.find_map(|one| Some((one, one.requires.iter().find(|own| is(own))?.as_str())))
        };
        let known = |name: &str| {
            // Builds for other releases of CUDA's are the same package: `spconv-cu126`.
            let stem = without_release(name);
            found(&|own| own == name)
                .or_else(|| found(&|own| stem.is_some() && without_release(own) == stem))
                .or_else(|| found(&|own| stem == Some(own)))
        };
        for extra in extras.filter(|one| !one.is_empty()) {
            let extra = extra.to_ascii_lowercase().replace('_', "-");
            let asked = format!("{name}[{extra}]");
            if let Some(package) = found(&|own| own == asked) {
                return Some(package);
            }
        }
        // What is not listed is one of those that hold libraries.
        let rest = name.strip_prefix(&self.front);
        known(&name).or_else(|| {
            rest.filter(|rest| !rest.is_empty())?;
            let mut rows = self.rows.iter();
            rows.find_map(|one| {
                let root = self.front.trim_end_matches('-');
                Some((one, one.import.iter().find(|own| **own == root)?.as_str()))
            })
        })
    }

    /// The package that the address of a repository leads to: `git+https://github.com/Dao-AILab/flash-attention.git@v2`.
    pub fn fetched(&self, address: &str) -> Option<&Package> {
        let dashed = |name: &str| name.to_ascii_lowercase().replace(['_', '.'], "-");
        let plain = |name: &str| dashed(name).replace('-', "");
        let (_, name) = repository(address)?.rsplit_once('/')?;
        let name = name.strip_suffix(".git").unwrap_or(name);
        let called = |as_one: &dyn Fn(&str) -> String| {
            let name = as_one(name);
            self.rows.iter().find(|one| {
                let mut names = one.requires.iter().chain(&one.repositories);
                names.any(|own| as_one(own) == name)
            })
        };
        // `torchsparse` is no `torch-sparse`; `flashattention` is `flash-attention`.
        called(&dashed).or_else(|| called(&plain))
    }

    /// Whether a distribution is one of NVIDIA's own.
    pub fn is_nvidias(&self, distribution: &str) -> bool {
        let name = distribution.to_ascii_lowercase().replace(['_', '.'], "-");
        name.starts_with(&self.front)
    }

    /// What a file has in it that may name one of them.
    pub fn words(&self) -> impl Iterator<Item = PackageWord> {
        let roots = self.imports().filter_map(|name| name.split('.').next());
        let required = self.rows.iter().flat_map(|one| &one.requires);
        // The text of a short name would be found in every other file.
        let quoted = |root: &str, quote: char| {
            let end = if root.len() < SHORT {
                String::from(quote)
            } else {
                String::new()
            };
            format!("{quote}{root}{end}")
        };
        let imported = roots.flat_map(move |root| {
            let words = [
                format!("import {root}"),
                format!("from {root}"),
                quoted(root, '"'),
                quoted(root, '\''),
            ];
            words.map(|word| (word, root.to_owned()))
        });
        // The name of a package in lists of requirements is most often the name in imports.
        let required = required.flat_map(|name| {
            ["\"", "'"].map(|front| (format!("{front}{name}"), name.replace('-', "_")))
        });
        let named = |(text, package)| PackageWord { text, package };
        imported.chain(required).map(named)
    }

    /// All import names.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        let all = self.rows.iter().flat_map(|one| &one.import);
        all.map(String::as_str)
    }
}

/// The part of an address that leads to a repository: what stands before `@v2`, `#egg=…` and what is in the repository.
pub fn repository(address: &str) -> Option<&str> {
    let place = address.find("://")? + "://".len();
    let rest = address.get(place..)?;
    let mut parts = rest.match_indices('/').map(|(at, _)| at);
    // Behind the host and the owner.
    let name = parts.nth(1)? + 1;
    let ends = |one: char| one.is_whitespace() || "/@#?\\\"'`);".contains(one);
    let end = rest.get(name..)?.find(ends);
    let end = end.map_or(rest.len(), |end| name + end);
    (end > name).then(|| address.get(..place + end)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let packages = Packages::builtin();
        for one in &packages.rows {
            let renamed = one.relation == PackageRelation::Renamed;
            assert_eq!(one.to.is_some(), renamed, "{:?}", one.import);
            assert_eq!(one.evidence.is_some(), renamed, "{:?}", one.import);
        }
        let named = |path| packages.holding(path).map(|(_, name)| name);
        assert_eq!(named("cuda.bindings.runtime"), Some("cuda"));
        assert_eq!(named("cudax"), None);
        assert_eq!(named("numba"), None);
        let required = |text| packages.required(text).map(|(_, name)| name);
        assert_eq!(required("Flash_Attn >= 2.5"), Some("flash-attn"));
        assert_eq!(required("flash-attn-tools"), None);
        let fetched = |text| packages.fetched(text).map(Package::name);
        for (address, name) in [
            (
                "git+https://github.com/Dao-AILab/flash-attention.git@v2",
                Some("flash_attn"),
            ),
            (
                "https://github.com/NVIDIA/TransformerEngine",
                Some("transformer_engine"),
            ),
            ("git+https://github.com/NVIDIA/apex#egg=apex", Some("apex")),
            (
                "git+https://github.com/mit-han-lab/torchsparse.git",
                Some("torchsparse"),
            ),
            ("https://github.com/NVIDIA", None),
            ("https://github.com/huggingface/transformers", None),
        ] {
            assert_eq!(fetched(address), name, "{address}");
        }
    }
}
