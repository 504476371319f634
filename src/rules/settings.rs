//! Devices and backends in files of settings: reported, never changed.

use std::path::Path;

use torchada_diagnostic::{Code, Finding, Severity};
use torchada_mapping::SettingValue;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::keyed::{Notation, keyed};
use torchada_text::LineIndex;

/// A setting names a device or a backend of CUDA's.
pub const SETTING: Code = Code {
    id: "PY090",
    severity: Severity::Note,
    title: "setting that looks like a device or a backend of CUDA's",
};

/// All codes of settings.
pub const CODES: &[Code] = &[SETTING];

/// The findings about a file.
pub fn check(path: &str, text: &[u8], knowledge: &Knowledge) -> Vec<Finding> {
    let table = &knowledge.settings;
    if !table.has(path) || !table.may_matter(text) {
        return Vec::new();
    }
    let ending = Path::new(path).extension();
    let notation = if ending.is_some_and(|one| one.eq_ignore_ascii_case("toml")) {
        Notation::Toml
    } else {
        Notation::Yaml
    };
    let lines = LineIndex::new(text);
    let mut findings = Vec::new();
    for one in keyed(text, notation) {
        let (key, value) = (one.key.of(text), one.value.of(text));
        let row = table
            .values
            .iter()
            .find(|row| is_meant(row, key, value, knowledge));
        let Some(row) = row else {
            continue;
        };
        let shown = String::from_utf8_lossy(value);
        let name = String::from_utf8_lossy(key);
        let message = if key.is_empty() {
            format!("`{shown}` stays: settings are not changed")
        } else {
            format!("`{name}` is `{shown}` and stays: settings are not changed")
        };
        let finding = Finding::at(SETTING, path, text, &lines, one.value, message);
        findings.push(finding.help(row.advice.clone()));
    }
    findings
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
    row.keys.contains(&name) || knowledge.python_values.holds(name.as_bytes(), row.kind)
}
