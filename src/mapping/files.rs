//! What a file is, by its name: `mappings/files.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What ends of file names mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileTable {
    /// CUDA endings and their MUSA counterparts.
    pub rename: BTreeMap<String, String>,
    /// Endings by kind.
    pub kinds: BTreeMap<String, Vec<String>>,
    /// Whole file names by kind.
    pub names: BTreeMap<String, Vec<String>>,
    /// Templates.
    pub templates: TemplateTable,
    /// CUDA source in strings.
    pub generated: Markers,
    /// Packaging manifests.
    pub manifest: ManifestTable,
    /// What this program writes about a tree.
    pub results: ResultTable,
}

/// What this program writes about a tree, and somebody left there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultTable {
    /// What such a text holds.
    pub marker: String,
    /// Among how many of its first bytes.
    pub within: usize,
}

impl ResultTable {
    /// Whether a text is such a result.
    pub fn has(&self, text: &[u8]) -> bool {
        let head = text.get(..self.within).unwrap_or(text);
        memchr::memmem::find(head, self.marker.as_bytes()).is_some()
    }
}

/// Files that say what a package takes along: a command with its patterns on each line.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ManifestTable {
    /// Whole file names.
    pub names: Vec<String>,
    /// Commands whose patterns are paths.
    pub at_path: Vec<String>,
    /// Commands whose first word is a folder; the patterns are for files anywhere below it.
    pub below_folder: Vec<String>,
    /// Commands whose patterns are for files anywhere.
    pub anywhere: Vec<String>,
}

/// Which files are templates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateTable {
    /// Endings that stand behind the real one.
    pub endings: Vec<String>,
    /// What makes a template without a real ending C++.
    pub markers: Vec<String>,
}

/// Texts that tell something by being there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Any one of them is enough.
    pub markers: Vec<String>,
}
