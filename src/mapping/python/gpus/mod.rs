//! How Python code finds out which GPU of NVIDIA's it runs on: `mappings/gpus.toml`.

mod rows;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::read_table::{builtin_table, table};
use crate::word_list::{WordList, ends_with_one, has};

pub use rows::{
    ArchitectureTexts, CapabilityQuestions, Deciding, FeatureWords, GateWords, GpuNames,
    GpuValueKind, LibraryVersion, Makes, NoneUses, PartNames, PlatformMember, Products,
    PropertiesClass, PythonFunctions, StartWords, ValueOf,
};

/// The table `mappings/gpus.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Gpus {
    /// A file without any of these is not looked at for its sake.
    words: WordList,
    /// Words among `words` that make a file worth a look even where no other word stands in it.
    pub entry_words: Vec<String>,
    /// Device properties.
    pub properties: PropertiesClass,
    /// What raises on None.
    pub none: NoneUses,
    /// Dotted names.
    #[serde(rename = "value")]
    values: Vec<ValueOf>,
    /// Projects' own names.
    names: Vec<GpuNames>,
    /// Parts of a capability.
    pub parts: PartNames,
    /// Python's own functions.
    pub python: PythonFunctions,
    /// Functions that answer questions about a capability.
    pub asking: CapabilityQuestions,
    /// What decides about the answers.
    pub deciding: Deciding,
    /// Architectures in texts.
    pub texts: ArchitectureTexts,
    /// Products in texts.
    pub products: Products,
    /// Features by what code says.
    #[serde(rename = "feature")]
    pub features: Vec<FeatureWords>,
    /// Versions of libraries.
    #[serde(rename = "library")]
    pub libraries: Vec<LibraryVersion>,
    /// What a platform object answers.
    #[serde(rename = "member")]
    pub members: Vec<PlatformMember>,
    /// Functions that pick one of several ways.
    pub gates: GateWords,
    /// How a program finds its device.
    pub start: StartWords,
    #[serde(skip)]
    found: GpuIndex,
}

/// Indexes of the table for lookups.
#[derive(Debug, Default)]
struct GpuIndex {
    products: WordList,
    architectures: WordList,
    by_last: FxHashMap<String, Vec<usize>>,
    by_name: FxHashMap<String, GpuValueKind>,
}

builtin_table!(Gpus, table!("gpus.toml").map(Self::indexed));

impl Gpus {
    fn indexed(mut self) -> Self {
        let products = self.products.strong.iter().chain(&self.products.weak);
        let mut found = GpuIndex {
            products: WordList::new(products.cloned()),
            architectures: WordList::new(self.asking.named.keys().cloned()),
            ..GpuIndex::default()
        };
        for (at, value) in self.values.iter().enumerate() {
            let last = value.name.rsplit('.').next().unwrap_or_default();
            found.by_last.entry(last.to_owned()).or_default().push(at);
        }
        for names in &self.names {
            for name in &names.exact {
                found.by_name.insert(name.clone(), names.gives);
            }
        }
        for name in self.libraries.iter().flat_map(|one| &one.version_names) {
            found.by_name.insert(name.clone(), GpuValueKind::Library);
        }
        self.found = found;
        self
    }

    /// The words without any of which a file is not looked at for its sake.
    pub fn words(&self) -> &[String] {
        self.words.words()
    }

    /// Whether a name, in whatever case, may have an architecture among its parts: `is_sm90`, `supports_hopper`.
    pub fn may_name_architecture(&self, name: &[u8]) -> bool {
        name.iter().any(u8::is_ascii_digit) || self.found.architectures.is_in_any_case(name)
    }

    /// Whether a text may name a product.
    pub fn may_name_product(&self, text: &[u8]) -> bool {
        self.found.products.is_in_any_case(text)
    }

    /// All dotted names that give a value.
    pub fn values(&self) -> impl Iterator<Item = &ValueOf> {
        self.values.iter()
    }

    /// The dotted names whose last part is this.
    pub fn values_named(&self, last: &[u8]) -> impl Iterator<Item = &ValueOf> {
        let known = std::str::from_utf8(last)
            .ok()
            .and_then(|last| self.found.by_last.get(last));
        let known = known.map_or(&[][..], Vec::as_slice);
        known.iter().filter_map(|&at| self.values.get(at))
    }

    /// What the dotted names have behind that of a module: `.get_device_capability`.
    pub fn inside<'a>(&'a self, module: &'a str) -> impl Iterator<Item = &'a str> {
        let names = self.values.iter().map(|one| one.name.as_str());
        names.filter_map(move |name| name.strip_prefix(module))
    }

    /// What a name of a project's own holds, and whether it holds several.
    pub fn kind_of_name(&self, name: &[u8]) -> Option<(GpuValueKind, bool)> {
        let name = plain(name)?;
        let exact = |name: &str| self.found.by_name.get(name).copied();
        let ends = |name: &str| {
            let mut rows = self.names.iter();
            let row = rows.find(|row| ends_with_one(name, &row.ends));
            row.map(|row| row.gives)
        };
        let known = |name: &str| exact(name).or_else(|| ends(name));
        match known(&name) {
            Some(gives) => Some((gives, false)),
            None => Some((known(name.strip_suffix('s')?)?, true)),
        }
    }

    /// Whether a name of a project's own is one that nothing but a GPU's number has.
    pub fn is_telling(&self, name: &[u8]) -> bool {
        let Some(name) = plain(name) else {
            return false;
        };
        self.names
            .iter()
            .any(|row| row.telling.contains(&name) || ends_with_one(&name, &row.ends))
    }

    /// Whether a name of a project's own speaks of an architecture: `is_sm90a_supported`, `get_sm_version`.
    pub fn mentions_architecture(&self, name: &[u8]) -> bool {
        if self.kind_of_name(name).is_some() || self.is_telling(name) {
            return true;
        }
        let name = plain(name).unwrap_or_default();
        let asking = &self.asking;
        name.split('_').any(|part| {
            let numbered = |front: &String| {
                let number = part.strip_prefix(front.as_str());
                number.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
            };
            asking.named.contains_key(part)
                || has(&asking.words, part)
                || asking.numbered.iter().any(numbered)
        })
    }

    /// The library whose version a name of a project's own holds.
    pub fn library_of_version_name(&self, name: &[u8]) -> Option<&LibraryVersion> {
        let name = plain(name)?;
        self.libraries
            .iter()
            .find(|one| one.version_names.contains(&name))
    }
}

/// A name without what it is dressed in: `_get_Name` is `name`.
fn plain(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    let name = name.trim_start_matches('_').to_ascii_lowercase();
    let name = name.strip_prefix("get_").unwrap_or(&name);
    Some(name.trim_start_matches('_').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_dressed() {
        let gpus = Gpus::builtin();
        assert_eq!(
            gpus.kind_of_name(b"_get_compute_capability"),
            Some((GpuValueKind::Capability, false))
        );
        assert_eq!(
            gpus.kind_of_name(b"SM_VERSION"),
            Some((GpuValueKind::Number, false))
        );
        assert_eq!(
            gpus.kind_of_name(b"TARGET_CUDA_ARCHS"),
            Some((GpuValueKind::Number, true))
        );
        assert_eq!(gpus.kind_of_name(b"architecture"), None);
        let mut found = gpus.values_named(b"get_device_capability");
        assert!(
            found
                .next()
                .is_some_and(|one| one.gives == GpuValueKind::Pair)
        );
    }
}
