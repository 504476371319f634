//! Words of MUSA's in a text, and the CUDA names that each may have been.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};

use super::apply::Patched;
use super::origins::{self, EditSite, Origins, WordKind, is_of};
use crate::commands::analysis::TranslatedTree;
use crate::mapping::Vendor;
use crate::mapping::files::FileTable;
use crate::project::{Context, FileText, paths};
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// Words of MUSA's and what they may have been.
pub(super) struct OldNames<'a> {
    finder: Option<AhoCorasick>,
    keys: Vec<Vec<u8>>,
    before: Vec<Origins>,
    /// The kinds of files by their names.
    pub(super) files: &'a FileTable,
    /// The marks by which MUSA's names are known.
    musa: Option<&'a Vendor>,
    /// Programs of MUSA's.
    programs: Vec<&'a str>,
}

/// A word in a text, and what it may have been.
pub(super) struct MusaWord {
    /// The offsets of its first byte, and behind its last one.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The CUDA names that the word may have been, the likeliest first.
    pub(super) options: Vec<Vec<u8>>,
    /// Whether this project has it from nothing that is known, and several names go to it.
    pub(super) is_open: bool,
    pub(super) kind: WordKind,
    /// Whether the port of this project writes it, in texts, too.
    pub(super) is_seen: bool,
}

impl<'a> OldNames<'a> {
    /// Take the words of a tree and its tables together that stand in patched files.
    pub(super) fn new(before: &TranslatedTree, patched: &[Patched], context: Context<'a>) -> Self {
        let musa = context.knowledge.target();
        let all = origins::of(before, patched, context, musa);
        let (keys, before): (Vec<Vec<u8>>, Vec<Origins>) = all.into_iter().unzip();
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&keys)
            .ok();
        Self {
            finder,
            keys,
            before,
            files: &context.knowledge.files,
            musa,
            programs: origins::programs(context).map(|(to, _)| to).collect(),
        }
    }

    /// The words in a text that is new in a file: of those that overlap, the first and longest. `near` is about where
    /// in the tree's file, `None` where it is new.
    pub(super) fn find(&self, text: &[u8], near: Option<(usize, usize)>) -> Vec<MusaWord> {
        let Some(finder) = &self.finder else {
            return Vec::new();
        };
        let mut longest: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for one in finder.find_overlapping_iter(text) {
            let (start, end) = (one.start(), one.end());
            if parts_words(text, start, end) {
                let slot = longest.entry(start).or_insert((0, 0));
                *slot = (*slot).max((end, one.pattern().as_usize()));
            }
        }
        let mut found = Vec::new();
        let mut from = 0;
        for (start, (end, word)) in longest {
            if start < from {
                continue;
            }
            let Some(before) = self.before.get(word) else {
                continue;
            };
            from = end;
            found.push(options(start, end, before, near));
        }
        found
    }

    /// Whether a word is MUSA's and not of the tree itself.
    pub(super) fn is_musas(&self, word: &[u8], before: &TranslatedTree) -> bool {
        let shown = String::from_utf8_lossy(word);
        let own = |text: &FileText| {
            let mut places = memchr::memmem::find_iter(text, word);
            places.any(|at| parts_words(text, at, at + word.len()))
        };
        let mut texts = before
            .project
            .files
            .iter()
            .filter_map(|file| file.text.as_ref());
        let is_musas = self.musa.is_some_and(|musa| is_of(musa, &shown));
        (is_musas || self.programs.contains(&&*shown)) && !texts.any(own)
    }

    /// The word that a text is as a whole.
    pub(super) fn whole(&self, text: &str) -> Option<Vec<u8>> {
        let at = self
            .keys
            .binary_search_by(|word| word.as_slice().cmp(text.as_bytes()))
            .ok()?;
        options(0, text.len(), self.before.get(at)?, None)
            .options
            .into_iter()
            .next()
    }
}

fn options(start: usize, end: usize, before: &Origins, near: Option<(usize, usize)>) -> MusaWord {
    let rank = |places: &[EditSite]| {
        let (file, at) = near?;
        let here = places.iter().filter(|place| place.file == file);
        here.map(|place| place.at.abs_diff(at)).min()
    };
    let mut seen: Vec<(&Vec<u8>, &Vec<EditSite>)> = before.seen.iter().collect();
    // Of this file the nearest, else what the project has most often.
    seen.sort_by_key(|(name, places)| {
        let near = rank(places);
        let often = usize::MAX - places.len();
        (near.is_none(), near, often, (*name).clone())
    });
    let mut options: Vec<Vec<u8>> = seen.into_iter().map(|(name, _)| name.clone()).collect();
    for name in &before.by_tables {
        if !options.contains(name) {
            options.push(name.clone());
        }
    }
    MusaWord {
        start,
        end,
        is_open: before.seen.is_empty() && !before.is_known && options.len() > 1,
        kind: before.kind,
        is_seen: before.is_file || !before.seen.is_empty(),
        options,
    }
}

/// Whether no word is cut apart at the ends of a stretch.
fn parts_words(text: &[u8], start: usize, end: usize) -> bool {
    let part = |at: Option<usize>| {
        at.and_then(|at| text.get(at))
            .is_some_and(|byte| is_identifier_part(*byte))
    };
    let cuts = |before: Option<usize>, at: usize| part(before) && part(Some(at));
    // A library behind the option that links it.
    let option = start.checked_sub(2).and_then(|at| text.get(at..start)) == Some(b"-l");
    (option || !cuts(start.checked_sub(1), start)) && !cuts(end.checked_sub(1), end)
}

/// What a file of the port would be called in the tree.
pub(super) fn old_name(path: &str, words: &OldNames<'_>) -> String {
    let name = paths::file_name(path);
    let known = words.whole(name);
    let known = known.map(|one| String::from_utf8_lossy(&one).into_owned());
    let old = known.or_else(|| words.files.with_cuda_ending(name));
    paths::sibling(path, old.as_deref().unwrap_or(name))
}

/// The places of the words of a stretch.
pub(super) fn words_of(text: &[u8], range: TextRange) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = range.start;
    for word in range.of(text).split(|byte| !is_identifier_part(*byte)) {
        if !word.is_empty() {
            found.push(TextRange::new(start, start + word.len()));
        }
        start += word.len() + 1;
    }
    found
}
