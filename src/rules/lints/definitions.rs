//! `-DNAME` in a build, and `NAME` in the code: both are renamed, or neither.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ported::is_text_in_use;
use super::{Ported, places, text_in_use};
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::MACRO_APART;
use torchada_edit::Edit;
use torchada_parallel as parallel;
use torchada_project::Source;
use torchada_syntax::{
    LexOptions, TokenKind, defined_names, identifier_at, is_identifier_part, lex,
};
use torchada_text::{LineIndex, Spans, TextRange};

/// A definition: the file and the macro's place.
type DefinitionSite = (usize, TextRange);

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let renamed = renamed_in_code(ported);
    let modules = modules_that_name(ported, &renamed);
    // A module that stays as it is can only define what the code has renamed.
    let may_differ = |index: usize| {
        !ported.project.has_words_in_index(index)
            || !ported.edits(index).is_empty()
            || modules.contains(&index)
    };
    let files = ported.files();
    let files = files.filter(|(index, file, _)| is_text_in_use(file) && may_differ(*index));
    let all = parallel::flat_map(files, |(index, file, text)| {
        let text: &[u8] = &text.once();
        let ranges = definitions(ported, file, text).into_iter();
        let named = ranges.map(|range| (range.of(text).to_vec(), (index, range)));
        named.collect::<Vec<(Vec<u8>, DefinitionSite)>>()
    });
    let mut defined: BTreeMap<Vec<u8>, Vec<DefinitionSite>> = BTreeMap::new();
    for (name, place) in all {
        defined.entry(name).or_default().push(place);
    }
    let tested = LazyCell::new(|| tested_in_code(ported, &defined));
    for (name, places) in &defined {
        let shown = String::from_utf8_lossy(name);
        for &(index, range) in places {
            let new = ported.edit_at(index, range);
            let message = match (new, renamed.get(name)) {
                (None, Some(&(file, edit))) => {
                    let to = String::from_utf8_lossy(&edit.replacement);
                    // Where a number is in the name's place, the code asks for none any more.
                    if to.starts_with(|first: char| first.is_ascii_digit()) {
                        continue;
                    }
                    let place = place(ported, file, edit.range);
                    format!("`{shown}` stays here, and the code asks for `{to}` now ({place})")
                }
                (Some(edit), None) => {
                    let Some(place) = tested.get(name.as_slice()) else {
                        continue;
                    };
                    let to = String::from_utf8_lossy(&edit.replacement).into_owned();
                    // It is defined by another command.
                    if to.contains(&*shown) {
                        continue;
                    }
                    format!(
                        "`{shown}` becomes `{to}` here, and the code still asks for `{shown}` ({place})"
                    )
                }
                _ => continue,
            };
            let help = "give it one name in both places".to_owned();
            found.extend(ported.finding(index, MACRO_APART, range, message, help));
        }
    }
}

/// The macros that a build file defines.
fn definitions(ported: &Ported<'_>, file: &Source, text: &[u8]) -> Vec<TextRange> {
    let is_build = file.class.kind == FileKind::Build;
    let words = &ported.context.knowledge.builds.words;
    let is_meant = |one: &TextRange| may_be_macro(ported, one.of(text));
    let whole = TextRange::new(0, text.len());
    let mut found: Vec<TextRange> = defined_names(text).collect();
    if !is_build {
        for place in places(text, whole, &words.lints.definition_keyword) {
            found.extend(listed(text, place.end, b']'));
        }
    }
    found.retain(is_meant);
    // Finding the strings of Python takes a tree, so it is done only if needed.
    if !found.is_empty() {
        let mut stretches = Spans::default();
        stretches.extend(text_in_use(file, text));
        found.retain(|one| stretches.overlaps(*one));
    }
    if is_build {
        for command in &words.lints.definition_commands {
            for place in places(text, whole, command) {
                found.extend(listed(text, place.end, b')').into_iter().filter(is_meant));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The identifiers up to a closing bracket, but for those that a value has (`-DNAME=${OTHER}`), and those that an
/// expression of `CMake`'s asks for (`$<$<COMPILE_LANGUAGE:CUDA>:NAME>`).
fn listed(text: &[u8], start: usize, close: u8) -> Vec<TextRange> {
    let rest = text.get(start..).unwrap_or_default();
    let end = start + rest.iter().position(|&byte| byte == close).unwrap_or(0);
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        let one = identifier_at(text, at);
        let behind = |far: usize| at.checked_sub(far).and_then(|before| text.get(before));
        let is_value = behind(1).is_some_and(|byte| b"={".contains(byte));
        let is_asked =
            behind(1) == Some(&b':') && behind(2).is_some_and(|&byte| is_identifier_part(byte));
        if !one.is_empty() && !is_value && !is_asked {
            found.push(one);
        }
        at = one.end + 1;
    }
    found
}

/// The names that C++ asks for under another name now, each with its first edit and the file of that.
fn renamed_in_code<'a>(ported: &Ported<'a>) -> FxHashMap<Vec<u8>, (usize, &'a Edit)> {
    let mut found = FxHashMap::default();
    for (index, file, text) in ported.files() {
        if !file.class.kind.is_cpp() || ported.edits(index).is_empty() {
            continue;
        }
        let text: &[u8] = &text.once();
        for edit in ported.edits(index) {
            let old = edit.range.of(text);
            if may_be_macro(ported, old) && !found.contains_key(old) {
                found.insert(old.to_vec(), (index, edit));
            }
        }
    }
    found
}

/// Whether a name may be a macro that gets another name: only what is about CUDA can, and macros of CUDA's have capitals.
fn may_be_macro(ported: &Ported<'_>, name: &[u8]) -> bool {
    let words = &ported.context.knowledge.builds.words;
    name.iter().any(u8::is_ascii_uppercase) && words.is_cudas(name)
}

/// The modules that have one of some names as a word, or as an option that defines it: `-DNAME`.
fn modules_that_name<T>(ported: &Ported<'_>, names: &FxHashMap<Vec<u8>, T>) -> FxHashSet<usize> {
    let options = names.keys().map(|name| [b"D", name.as_slice()].concat());
    let words = names.keys().cloned().chain(options);
    words
        .flat_map(|word| ported.project.modules_with(&word))
        .collect()
}

/// The macros that the code still tests by their old names, each with the first place.
fn tested_in_code<'a>(
    ported: &Ported<'_>,
    defined: &'a BTreeMap<Vec<u8>, Vec<DefinitionSite>>,
) -> BTreeMap<&'a [u8], String> {
    let mut found: BTreeMap<&[u8], String> = BTreeMap::new();
    for (index, file, text) in ported.files() {
        if !file.class.kind.is_cpp() {
            continue;
        }
        let mut names = defined
            .keys()
            .filter(|name| !found.contains_key(name.as_slice()));
        if !names.any(|name| file.has_word(name)) {
            continue;
        }
        let options = LexOptions {
            template: file.class.template,
        };
        for token in lex(text, options).tokens {
            let known = defined.get_key_value(token.text(text));
            let Some((name, _)) = known.filter(|_| token.kind == TokenKind::Identifier) else {
                continue;
            };
            let asks = !found.contains_key(name.as_slice())
                && ported.edit_at(index, token.range()).is_none();
            if asks {
                found.insert(name, place(ported, index, token.range()));
            }
        }
    }
    found
}

/// Where a place is, for a message: its file and line.
fn place(ported: &Ported<'_>, file: usize, range: TextRange) -> String {
    let source = ported.project.files.get(file);
    let text = source.and_then(|source| source.text.as_deref());
    let text = text.unwrap_or_default();
    let line = LineIndex::new(text).position(text, range.start).line;
    let path = source.map_or("", |source| &source.path);
    format!("{path}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_an_expression_asks_for_is_no_macro() {
        let text = b"$<$<COMPILE_LANGUAGE:CUDA>:OPS_FAST> OPS=${CUDA_ROOT})";
        let names = listed(text, 0, b')').into_iter().map(|one| one.of(text));
        let names: Vec<&[u8]> = names.collect();
        assert!(names.contains(&&b"OPS_FAST"[..]) && names.contains(&&b"OPS"[..]));
        assert!(!names.contains(&&b"CUDA"[..]) && !names.contains(&&b"CUDA_ROOT"[..]));
    }
}
