//! Devices, backends and variables of the environment in files of settings: reported, never changed.

use crate::python::join_settings;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::python::SETTING;
use torchada_mapping::{Section, SettingFiles};
use torchada_project::{Context, meant_setting, settings};
use torchada_syntax::keyed::Keyed;
use torchada_text::{LineIndex, TextRange};

/// The findings about a file.
pub fn check(path: &str, text: &[u8], context: Context<'_>) -> Vec<Finding> {
    let knowledge = context.knowledge;
    let table = &knowledge.settings;
    let all = settings(path, text, table);
    if all.is_empty() {
        return Vec::new();
    }
    let lines = LineIndex::new(text);
    let mut findings = Vec::new();
    for one in all {
        let (key, value) = (one.key.of(text), one.value.of(text));
        let Some(row) = meant_setting(key, value, knowledge) else {
            if let Some(device) = computed_with(value, table) {
                let name = String::from_utf8_lossy(key);
                let message = format!(
                    "`{name}` is computed with `{device}` and stays: settings are not changed"
                );
                let finding = Finding::at(SETTING, path, text, &lines, one.value, message);
                findings.push(finding.help(table.advice_computed.clone()));
                continue;
            }
            let found = variable(context, text, one).map(|(place, cuda, to)| {
                let help = format!("where it becomes a variable of the environment, write `{to}`");
                (place, cuda, help)
            });
            let found = found.or_else(|| {
                let (inside, to) = torchs_name(context, value)?;
                let help = format!("where a program looks the name up, write `{to}`");
                let cuda = String::from_utf8_lossy(inside.of(value)).into_owned();
                let place = inside.shifted(one.value.start);
                Some((place, cuda, help))
            });
            let found = found.or_else(|| image(context, text, one));
            let found = found.or_else(|| {
                let row = table.keys.iter().find(|row| {
                    key.starts_with(row.front.as_bytes())
                        || key == b"key" && value.starts_with(row.front.as_bytes())
                })?;
                let place = if key == b"key" { one.value } else { one.key };
                let name = String::from_utf8_lossy(place.of(text)).into_owned();
                Some((place, name, row.advice.clone()))
            });
            findings.extend(found.map(|(place, cuda, help)| {
                let message = format!("`{cuda}` stays: settings are not changed");
                Finding::at(SETTING, path, text, &lines, place, message).help(help)
            }));
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
    join_settings(findings)
}

/// The variable of the environment that a setting gives a value, with its counterpart: `NCCL_DEBUG: INFO`, `name:
/// NCCL_DEBUG`, `- NCCL_DEBUG=INFO`.
fn variable(context: Context<'_>, text: &[u8], one: Keyed) -> Option<(TextRange, String, String)> {
    let value = one.value.of(text);
    let assigned = memchr::memchr(b'=', value)
        .map(|end| TextRange::new(one.value.start, one.value.start + end));
    let named = (one.key.of(text) == b"name").then_some(one.value);
    let mut places = [Some(one.key), named, assigned].into_iter().flatten();
    places.find_map(|place| {
        let name = place.of(text);
        let row = context.row(Section::Environment, name)?;
        let to = row.to.as_deref()?.to_owned();
        Some((place, String::from_utf8_lossy(name).into_owned(), to))
    })
}

/// The image for CUDA that a setting names: `image: nvidia/cuda:12.4.1-devel-ubuntu22.04`.
fn image(context: Context<'_>, text: &[u8], one: Keyed) -> Option<(TextRange, String, String)> {
    let scripts = &context.knowledge.builds.scripts;
    let key = String::from_utf8_lossy(one.key.of(text));
    let value = String::from_utf8_lossy(one.value.of(text));
    let is_image = scripts.images.keys.contains(&key.into_owned())
        && scripts.images.are_cudas(&value, &scripts.releases);
    is_image.then(|| {
        let advice = scripts.images.advice.clone();
        (one.value, value.into_owned(), advice)
    })
}

/// The device that a value is computed with: `${contains:"cuda",${sim_device}}`, `${oc.env:DEVICE,cuda}`, or in Python,
/// `$torch.device('cuda:0')`.
fn computed_with<'t>(value: &[u8], table: &'t SettingFiles) -> Option<&'t str> {
    let inside = value.strip_prefix(COMPUTED)?;
    let is_end =
        |byte: Option<&u8>| byte.is_none_or(|one| !torchada_syntax::is_identifier_part(*one));
    let mut devices = table.values.iter().filter(|row| row.numbered);
    let found = devices.find(|row| {
        let word = row.value.as_bytes();
        memchr::memmem::find_iter(inside, word).any(|at| {
            let before = at.checked_sub(1).and_then(|at| inside.get(at));
            matches!(before, Some(b'"' | b'\'' | b',' | b':' | b' '))
                && is_end(inside.get(at + word.len()))
        })
    });
    found.map(|row| row.value.as_str())
}

/// What begins a value that is computed.
const COMPUTED: &[u8] = b"$";

/// The dotted name of `PyTorch`'s for CUDA that a value is, or calls, with its counterpart: `_target_:
/// torch.cuda.amp.GradScaler`, `!apply:torch.cuda.manual_seed`, `$torch.cuda.set_device(@device)`. Behind other words
/// it stands in a sentence.
fn torchs_name(context: Context<'_>, value: &[u8]) -> Option<(TextRange, String)> {
    let front = format!("{}.", context.knowledge.python_values.module.cuda);
    let is_part = |byte: &u8| torchada_syntax::is_identifier_part(*byte) || *byte == b'.';
    let words = value.iter().position(u8::is_ascii_whitespace);
    let end = words.filter(|_| !value.starts_with(COMPUTED));
    let mut places = memchr::memmem::find_iter(value, front.as_bytes());
    places.find_map(|at| {
        let before = at.checked_sub(1).and_then(|at| value.get(at));
        let is_behind_words = end.is_some_and(|end| end < at);
        if is_behind_words || before.is_some_and(|one| *one != b'$' && is_part(one)) {
            return None;
        }
        let length = value
            .get(at..)?
            .iter()
            .take_while(|one| is_part(one))
            .count();
        let place = TextRange::new(at, at + length);
        let row = context.row(Section::Python, place.of(value))?;
        Some((place, row.to.as_deref()?.to_owned()))
    })
}
