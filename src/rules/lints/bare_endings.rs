//! Names of sources that a build puts together of a stem and an ending without its dot: `f"{name}.{ending}"` in
//! `setup.py`, `%.$(ENDING)` in a makefile.

use super::Ported;
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::NOT_FOLLOWED;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;
use torchada_project::{Source, bare_endings};
use torchada_syntax::python_strings;
use torchada_text::{TextRange, contains};

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let endings = &ported.context.knowledge.files.rename;
    let files = &ported.project.files;
    let renamed = endings.iter().filter(|(old, _)| {
        let mut with = files
            .iter()
            .filter(|file| file.path.ends_with(old.as_str()));
        with.any(Source::is_renamed)
    });
    let bare: Vec<(&str, &str)> = renamed
        .map(|(old, new)| (old.trim_start_matches('.'), new.trim_start_matches('.')))
        .collect();
    if bare.is_empty() {
        return;
    }
    // Only a module that speaks of extensions gets the text of its port looked at.
    let files = ported.files().filter(|(index, file, _)| {
        let is_python = file.class.kind == FileKind::Python;
        let may_build = || ported.project.may_have(*index, b"Extension");
        is_python && may_build() || file.class.language == Some(BuildLanguage::Make)
    });
    found.extend(parallel::flat_map(files, |(index, file, text)| {
        let mut found = Vec::new();
        let text: &[u8] = &text.once();
        let places = match (file.class.kind, file.class.language) {
            (FileKind::Python, _) if names_builder(ported, index, text) => in_python(text),
            (_, Some(BuildLanguage::Make)) => {
                let old: Vec<&str> = bare.iter().map(|(old, _)| *old).collect();
                let found = bare_endings(text, &old).into_iter();
                found.map(|one| one.range).collect()
            }
            _ => return found,
        };
        for range in places {
            let word = range.of(text);
            let Some((old, new)) = bare.iter().find(|(old, _)| old.as_bytes() == word) else {
                continue;
            };
            if ported.edit_at(index, range).is_some() {
                continue;
            }
            let builds = ported.project.python_builds();
            let is_python = file.class.kind == FileKind::Python;
            if is_python && !builds.may_name_source(index, range) {
                continue;
            }
            let message = format!(
                "`{old}` stays as a part of names of files, and sources of that ending get `{new}`"
            );
            let help = format!("write `{new}` where it is the ending of sources that are built");
            found.extend(ported.finding(index, NOT_FOLLOWED, range, message, help));
        }
        found
    }));
}

/// Whether a file builds extensions by a builder of MUSA's once it is translated.
fn names_builder(ported: &Ported<'_>, index: usize, text: &[u8]) -> bool {
    if !contains(text, b"Extension") {
        return false;
    }
    let builders = &ported.context.knowledge.builds.words.lints.builders;
    let new = ported.new_text(index);
    builders.iter().any(|name| contains(&new, name))
}

/// What stands between the quotes of the strings of Python.
fn in_python(text: &[u8]) -> Vec<TextRange> {
    let is_mark = |byte: &u8| matches!(byte, b'"' | b'\'');
    let strings = python_strings(text).unwrap_or_default().into_iter();
    let inside = strings.map(|range| {
        let marked = range.of(text);
        let front = marked.iter().take_while(|byte| is_mark(byte)).count();
        let back = marked.iter().rev().take_while(|byte| is_mark(byte)).count();
        let end = range.end.saturating_sub(back).max(range.start + front);
        TextRange::new(range.start + front, end)
    });
    inside.collect()
}
