//! What a change causes on lines that it does not touch: the tree as it was is looked at, too, where that may show something.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use super::look::CheckedPath;
use super::result::CheckResult;
use crate::commands::analysis::FileOverlay;
use crate::config::{Mode, display_path};
use crate::diagnostic::Finding;
use crate::files;
use crate::git::ChangedLines;
use crate::mapping::safety;

/// The files that make a tree what it was, where lines of them are gone that the findings about `unchanged` lines may have
/// to do with: lines of their files, or lines with their names.
pub(super) fn before(
    (_, settings): CheckedPath<'_>,
    changed: &ChangedLines,
    unchanged: &[Finding],
    result: &CheckResult,
) -> Option<FileOverlay> {
    if unchanged.is_empty() || !matches!(settings.mode, Mode::Tree { .. }) {
        return None;
    }
    let root = settings.root()?.canonicalize().ok()?;
    let texts = changed.texts_before(&root);
    let gone = Gone::of(&texts);
    let is_caused = |finding: &Finding| {
        let path = PathBuf::from(&finding.path).canonicalize();
        let text = result.texts.get(&finding.path);
        let text = text.map(|text| finding.range.of(text));
        path.is_ok_and(|path| gone.files.contains(&path))
            || text.is_some_and(|text| words(text).any(|word| gone.words.contains(word)))
    };
    unchanged.iter().any(is_caused).then(|| FileOverlay {
        texts: texts
            .into_iter()
            .filter_map(|(path, text)| Some((display_path(path.strip_prefix(&root).ok()?), text)))
            .collect(),
        adds: true,
    })
}

/// What is gone since.
#[derive(Default)]
struct Gone {
    /// Files that lack lines which they had.
    files: FxHashSet<PathBuf>,
    /// Words that files do not have any more.
    words: FxHashSet<Vec<u8>>,
}

impl Gone {
    fn of(before: &BTreeMap<PathBuf, Option<Vec<u8>>>) -> Self {
        let mut gone = Self::default();
        for (path, old) in before {
            let Some(old) = old else { continue };
            let new = files::read(path, safety::BYTES_SOURCE).unwrap_or_default();
            let mut lines = new.split(|&byte| byte == b'\n');
            // Lines that came between others take none away.
            let is_there = |old: &[u8]| lines.any(|line| line == old);
            if !old.split(|&byte| byte == b'\n').all(is_there) {
                gone.files.insert(path.clone());
                let new: FxHashSet<&[u8]> = words(&new).collect();
                let lost = words(old).filter(|word| !new.contains(word));
                gone.words.extend(lost.map(<[u8]>::to_vec));
            }
        }
        gone
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let words = text.split(move |byte| !is_part(byte));
    words.filter(|word| word.first().is_some_and(|first| !first.is_ascii_digit()))
}
