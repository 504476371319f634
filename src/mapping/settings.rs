//! Devices and backends in files of settings: `mappings/settings.toml`.

use serde::{Deserialize, Serialize};

use crate::word_list::{WordList, has};

use super::ValueKind;

/// A value that may need another on MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingValue {
    /// The whole value.
    pub value: String,
    /// Whether a number may stand behind it.
    pub numbered: bool,
    /// Which names hold it, beside the keys.
    pub kind: Option<ValueKind>,
    /// Further keys.
    pub keys: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Keys that ask for NVIDIA's GPUs, whatever their values are.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingKeys {
    /// What the keys begin with.
    pub front: String,
    /// What to do about them.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// The table `mappings/settings.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingFiles {
    /// Endings of files in YAML and JSON.
    endings: Vec<String>,
    /// Endings of files in TOML, and of those whose lines are read so.
    pub lines: Vec<String>,
    /// The largest file that is looked at, in bytes.
    pub largest: usize,
    /// Names of files that are not looked at.
    pub skipped: Vec<String>,
    /// A file without any of these is not looked at.
    pub words: WordList,
    /// The values.
    #[serde(rename = "value")]
    pub values: Vec<SettingValue>,
    /// The keys.
    #[serde(rename = "key")]
    pub keys: Vec<SettingKeys>,
    /// What to do about a value that is computed with the name of CUDA's device.
    #[serde(rename = "advice-computed")]
    pub advice_computed: String,
}

impl SettingFiles {
    /// Whether a file may hold settings.
    pub fn has(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut endings = self.endings.iter().chain(&self.lines);
        endings.any(|ending| name.ends_with(ending)) && !has(&self.skipped, name)
    }

    /// Whether a text is worth a look.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        text.len() <= self.largest && self.words.is_in(text)
    }
}
