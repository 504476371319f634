//! Files of settings: their keys with their values, and which of these name a device or a backend of CUDA's.

use crate::{Context, FileText, Project};
use torchada_mapping::effort::Effort;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{SettingFiles, SettingValue, ends_with_one};
use torchada_parallel as parallel;
use torchada_syntax::keyed::{Keyed, Notation, keyed};

/// The keys of a file of settings with their values; nothing where it is none, or holds no word of CUDA's.
pub fn settings(path: &str, text: &[u8], table: &SettingFiles) -> Vec<Keyed> {
    if !table.has(path) || !table.may_matter(text) {
        return Vec::new();
    }
    let notation = if ends_with_one(path, &table.lines) {
        Notation::Toml
    } else {
        Notation::Yaml
    };
    keyed(text, notation)
}

/// The row of the table for a value under a key: `device: cuda`, `backend: nccl`.
pub fn meant_setting<'k>(
    key: &[u8],
    value: &[u8],
    knowledge: &'k Knowledge,
) -> Option<&'k SettingValue> {
    let mut rows = knowledge.settings.values.iter();
    rows.find(|row| is_meant(row, key, value, knowledge))
}

fn is_meant(row: &SettingValue, key: &[u8], value: &[u8], knowledge: &Knowledge) -> bool {
    let Some(rest) = value.strip_prefix(row.value.as_bytes()) else {
        return false;
    };
    if let Some(number) = rest.strip_prefix(b":") {
        return row.numbered && !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    }
    if !rest.is_empty() {
        return false;
    }
    let name = String::from_utf8_lossy(key).to_ascii_lowercase();
    // `trainer.device`
    let name = name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .replace('-', "_");
    let holds = |kind| knowledge.python_values.holds(name.as_bytes(), kind);
    row.keys.contains(&name) || row.kind.is_some_and(holds)
}

/// Whether settings of the tree name a device or a backend of CUDA's, which any program of the tree may read.
pub(crate) fn name_device(project: &Project, context: Context<'_>) -> bool {
    let knowledge = context.knowledge;
    let effort = Effort::builtin();
    let files = project
        .files
        .iter()
        .filter(|file| knowledge.settings.has(&file.path) && !effort.is_auxiliary(&file.path));
    parallel::any(files, |file| {
        let text = file.text.as_ref().map(FileText::once);
        let text = text.unwrap_or_default();
        let mut all = settings(&file.path, &text, &knowledge.settings).into_iter();
        all.any(|one| {
            let row = meant_setting(one.key.of(&text), one.value.of(&text), knowledge);
            row.is_some_and(|row| row.kind.is_some())
        })
    })
}
