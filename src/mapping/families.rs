//! Names that no table lists one by one, but that are CUDA's by how they start.

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::table;

/// Names that are CUDA's by how they start.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameFamily {
    /// What the family is called.
    pub name: String,
    /// What its names start with.
    pub prefixes: Vec<String>,
    /// What the file names of its headers start with; empty where none has to be visible.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Whether the prefixes are only a way to write names, which projects follow, too: then a name
    /// counts where a new word follows the prefix and the tree declares it nowhere.
    #[serde(default)]
    pub undeclared: bool,
    /// The table of the library that its names are of, where facts may know nothing of that library.
    #[serde(default)]
    pub library: Option<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

impl NameFamily {
    /// Whether a name that starts with `prefix` belongs here.
    fn has(&self, prefix: &[u8], name: &[u8]) -> bool {
        let rest = name.get(prefix.len()..).unwrap_or_default();
        // `cudaMemcpy`, not `cudagraph`; an underscore ends a word by itself. A number says nothing: `CUDA_2`.
        !self.undeclared
            || prefix.ends_with(b"_") && rest.iter().any(u8::is_ascii_alphabetic)
            || rest.first().is_some_and(u8::is_ascii_uppercase)
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    family: Vec<NameFamily>,
}

/// The families, found by a name.
#[derive(Debug)]
pub struct Families {
    families: Vec<NameFamily>,
    /// By the first byte of a name: the prefixes that start with it, and whose they are, in the
    /// order of the families. Every identifier of a tree is looked up here.
    prefixes: Vec<Vec<(Box<[u8]>, usize)>>,
}

impl Families {
    pub(super) fn load() -> Result<Self, MappingError> {
        let listed: Listed = table!("families.toml")?;
        let families = listed.family;
        let mut prefixes = vec![Vec::new(); 256];
        for (at, family) in families.iter().enumerate() {
            for prefix in &family.prefixes {
                let first = prefix.as_bytes().first();
                if let Some(list) = first.and_then(|byte| prefixes.get_mut(usize::from(*byte))) {
                    list.push((prefix.as_bytes().into(), at));
                }
            }
        }
        Ok(Self { families, prefixes })
    }

    /// The family that a name belongs to by how it starts.
    pub fn of(&self, name: &[u8]) -> Option<&NameFamily> {
        let prefixes = self.prefixes.get(usize::from(*name.first()?))?;
        prefixes
            .iter()
            .filter(|(prefix, _)| name.starts_with(prefix))
            .filter_map(|(prefix, family)| Some((prefix, self.families.get(*family)?)))
            .find(|(prefix, family)| family.has(prefix, name))
            .map(|(_, family)| family)
    }
}
