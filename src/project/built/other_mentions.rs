//! Which files speak of a file by its name, besides those that include it and the files of `CMake`'s.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::name_finder::NameFinder;
use super::tree::Tree;
use crate::tree::paths;
use crate::tree::source::Source;
use torchada_classify::FileKind;
use torchada_mapping::builds::Reach;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;
use torchada_syntax::python_strings;
use torchada_text::{TextRange, contains, line_start, words};

/// For some files, those that speak of them.
#[derive(Default, Debug)]
pub(super) struct Mentions {
    by: BTreeMap<usize, Vec<usize>>,
}

impl Mentions {
    /// Look for the names of some files.
    pub(super) fn new(tree: Tree<'_>, wanted: &[usize], table: &Reach) -> Self {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &at in wanted {
            if let Some(file) = tree.files.get(at) {
                let name = paths::file_name(&file.path);
                by_name.entry(name).or_default().push(at);
            }
        }
        let names: Vec<&str> = by_name.keys().copied().collect();
        let Ok(finder) = NameFinder::new(&names) else {
            // Each file is taken to speak of all.
            let all: Vec<usize> = (0..tree.files.len()).collect();
            let by = wanted.iter().map(|&at| (at, all.clone()));
            return Self { by: by.collect() };
        };
        let first_words = names
            .iter()
            .filter_map(|name| words(name.as_bytes()).next());
        let may_have = tree.may_have(first_words);
        let files = tree.files.iter().enumerate().zip(may_have);
        let files = files.filter_map(|(file, may_have)| may_have.then_some(file));
        let found: Vec<(usize, usize)> = parallel::flat_map(files, |(from, file)| {
            let named = tree.python.literals.get(&from);
            let named = named.map_or(&[][..], Vec::as_slice);
            let names = mentioned(file, &finder, table, named);
            names.into_iter().map(move |name| (from, name))
        });
        let mut mentions = Self::default();
        for (from, name) in found {
            let files = names.get(name).and_then(|name| by_name.get(name));
            for &at in files.into_iter().flatten().filter(|&&at| at != from) {
                mentions.by.entry(at).or_default().push(from);
            }
        }
        mentions
    }

    /// The files that speak of one.
    pub(super) fn of(&self, file: usize) -> &[usize] {
        self.by.get(&file).map_or(&[], Vec::as_slice)
    }
}

/// The names that a file speaks of, by number. Literals that name sources for compilers are followed elsewhere.
fn mentioned(
    file: &Source,
    finder: &NameFinder<'_>,
    table: &Reach,
    named: &[TextRange],
) -> Vec<usize> {
    let text = match &file.text {
        Some(text) if file.class.language != Some(BuildLanguage::CMake) => text.once(),
        _ => return Vec::new(),
    };
    let text: &[u8] = &text;
    let is_program = matches!(file.class.kind, FileKind::Python | FileKind::Text);
    if is_program && table.only_reads(&file.path, text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let is_plain = file.class.kind == FileKind::Python && file.python.is_none();
    // A program names files in its strings; what documents it does not count.
    let values = LazyCell::new(|| is_plain.then(|| python_strings(text)).flatten());
    finder.each(text, |start, name| {
        let is_followed = || named.iter().any(|literal| literal.contains(start));
        let is_value = || {
            let values = values.as_ref();
            values.is_none_or(|all| all.iter().any(|value| value.contains(start)))
        };
        let is_new = !found.contains(&name);
        if is_new && !is_aside(file, text, start) && !is_followed() && is_value() {
            found.push(name);
        }
    });
    found
}

/// Whether a place lies behind the mark of a comment, or in an `#include`, which is followed elsewhere.
fn is_aside(file: &Source, text: &[u8], at: usize) -> bool {
    let line = TextRange::new(line_start(text, at), at).of(text);
    let line = line.trim_ascii_start();
    if !file.class.kind.is_cpp() {
        // A program may hold the text of a source, in which an `#include` begins a line.
        return line.starts_with(b"#") && !contains(line, b"include");
    }
    let includes = |rest: &[u8]| {
        let path = rest.trim_ascii_start().strip_prefix(b"include");
        path.is_some_and(|path| path.trim_ascii_start().starts_with(b"\"") || path.contains(&b'<'))
    };
    line.starts_with(b"*")
        || line.starts_with(b"/*")
        || contains(line, b"//")
        || line.strip_prefix(b"#").is_some_and(includes)
}
