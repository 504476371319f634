//! The settings that the manifest records.

use std::collections::BTreeMap;

use super::{Settings, display_path};
use crate::cli::Choice;
use crate::mapping::Version;

impl Settings {
    /// The settings that decide what a port writes, under the manifest's names.
    pub fn stamp(&self) -> BTreeMap<String, String> {
        let names: Vec<&str> = self.own_names.value.iter().map(String::as_str).collect();
        let layout: Vec<String> = self
            .layout
            .value
            .iter()
            .map(|pair| format!("{}={}", display_path(&pair.from), display_path(&pair.to)))
            .collect();
        let version = |version: &Option<Version>| {
            let version = version.as_ref();
            version.map_or_else(String::new, ToString::to_string)
        };
        let facts = self.facts.value.as_ref();
        // A port without facts has the manifest that it had before there were any.
        let facts = facts.map(|facts| ("facts", facts.stamp()));
        [
            ("sdk", version(&self.sdk.value)),
            ("torch-musa", version(&self.torch_musa.value)),
            (
                "cuda-version",
                self.cuda_version.value.written().unwrap_or_default(),
            ),
            ("target", self.targets.value.join(", ")),
            ("rename", self.rename.value.word().to_owned()),
            ("dialect", self.dialect.value.word().to_owned()),
            ("ptx", self.ptx.value.word().to_owned()),
            ("even-so", self.even_so.value.to_string()),
            ("min-evidence", self.min_evidence.value.as_str().to_owned()),
            ("vendored", self.vendored.value.word().to_owned()),
            ("stub", self.stub.value.to_string()),
            ("unsafe", self.unsafe_edits.to_string()),
            ("exclude", self.exclude.value.join(", ")),
            ("own-names", names.join(", ")),
            ("layout", layout.join(", ")),
        ]
        .into_iter()
        .chain(facts)
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }
}
