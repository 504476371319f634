//! The CUDA names that MUSA's words may have been: by the edits of this project's port, by its renames, and by the
//! tables.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashSet;

use super::apply::Patched;
use crate::commands::analysis::TranslatedTree;
use crate::edit::Edit;
use crate::mapping::Vendor;
use crate::mapping::files::FileTable;
use crate::mapping::ptx;
use crate::mapping::{Relation, Row, Section};
use crate::project::{Context, FileText};
use crate::stub;
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// The place where the port wrote a word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct EditSite {
    file: usize,
    /// Byte offset in the tree's file.
    at: usize,
}

/// What a word of MUSA's is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum WordKind {
    /// A name.
    #[default]
    Name,
    /// The ending of a file's name, which in code could be a member.
    Ending,
    /// What inline assembly became, with its comment.
    Assembly,
}

/// The CUDA names that a word of MUSA's may have been.
#[derive(Default, Debug)]
struct Origins {
    /// The names that the port changed into the word, with the places.
    seen: BTreeMap<Vec<u8>, Vec<EditSite>>,
    /// The other names that the tables change into the word, the one that is taken first in front.
    by_tables: Vec<Vec<u8>>,
    /// Whether the tables themselves say which is the first.
    is_known: bool,
    /// Whether the word is the name of a file.
    is_file: bool,
    kind: WordKind,
}

/// Words of MUSA's and what they may have been.
pub(super) struct OldNames<'a> {
    finder: Option<AhoCorasick>,
    keys: Vec<Vec<u8>>,
    before: Vec<Origins>,
    /// The kinds of files by their names.
    pub(super) files: &'a FileTable,
    /// The marks by which MUSA's names are known.
    musa: Option<&'a Vendor>,
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
        let new = patched.iter().map(|one| one.path.as_str());
        let patch_words = PatchWords::of(patched);
        let mut all: BTreeMap<Vec<u8>, Origins> = BTreeMap::new();
        for (file, (source, done)) in before
            .project
            .files
            .iter()
            .zip(&before.translated)
            .enumerate()
        {
            let Some(text) = source.text.as_deref() else {
                continue;
            };
            let assembly: FxHashSet<TextRange> = done
                .ptx
                .translated
                .iter()
                .map(|(range, _)| *range)
                .collect();
            let words = done.edits.iter().filter(|edit| is_word(edit, text));
            for edit in words.filter(|edit| patch_words.has(&edit.replacement)) {
                let entry = all.entry(edit.replacement.clone()).or_default();
                if assembly.contains(&edit.range) {
                    entry.kind = WordKind::Assembly;
                }
                let old = edit.range.of(text).to_vec();
                let at = edit.range.start;
                entry
                    .seen
                    .entry(old)
                    .or_default()
                    .push(EditSite { file, at });
            }
        }
        let musa = context.knowledge.vendors.iter().find(|one| one.is_target());
        let endings = &context.knowledge.files.rename;
        for (old, new) in endings {
            let entry = all.entry(new.clone().into_bytes()).or_default();
            (entry.is_known, entry.is_file) = (true, true);
            entry.kind = WordKind::Ending;
            entry.by_tables.push(old.clone().into_bytes());
        }
        let files = before.project.files.iter();
        let renamed = files.map(|file| (file.path.clone(), file.output.as_str()));
        let new = new.map(|path| (with_old_ending(path, endings), path));
        for (old, new) in renamed.chain(new) {
            let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
            let (old, new) = (name(&old), name(new));
            if old != new {
                let entry = all.entry(new.into_bytes()).or_default();
                entry.is_known = true;
                entry.is_file = true;
                if !entry.by_tables.contains(&old.clone().into_bytes()) {
                    entry.by_tables.push(old.into_bytes());
                }
            }
        }
        for section in Section::ALL {
            // Members and namespaces are common words by themselves.
            if matches!(section, Section::Members | Section::Namespaces) {
                continue;
            }
            let has_counterpart = |row: &&Row| {
                let to = row.to.as_deref();
                to.is_some_and(|to| patch_words.has(to.as_bytes()))
            };
            let mut rows: Vec<_> = context
                .tables
                .rows(section)
                .filter(has_counterpart)
                .collect();
            let by_stem = |row: &Row| {
                let to = row.to.as_deref().unwrap_or_default();
                let mut stems = context.tables.stems().iter();
                stems.any(|stem| to.replacen(&*stem.musa, &stem.cuda, 1) == row.cuda)
            };
            rows.sort_by_cached_key(|row| {
                let clear = row.primary || by_stem(row);
                (!row.primary, !clear, row.evidence, row.std, row.cuda.len())
            });
            for row in rows {
                if row.relation == Relation::Renamed
                    && let Some(to) = row.to.as_deref()
                    && to != row.cuda
                    && !to.ends_with('/')
                    && !context.tables.is_forbidden(section, row.cuda.as_bytes())
                {
                    let entry = all.entry(to.as_bytes().to_vec()).or_default();
                    let name = row.cuda.as_bytes().to_vec();
                    entry.is_known |= entry.by_tables.is_empty() && (row.primary || by_stem(row));
                    if !entry.by_tables.contains(&name) {
                        entry.by_tables.push(name);
                    }
                }
            }
        }
        for (name, row) in context
            .ptx
            .map_or(&BTreeMap::new(), |ptx| ptx.table().intrinsics())
        {
            let call = format!("{}{}", ptx::NAMESPACE, row.helper);
            if patch_words.has(call.as_bytes()) {
                let entry = all.entry(call.into_bytes()).or_default();
                entry.is_known = true;
                if !entry.by_tables.contains(&name.clone().into_bytes()) {
                    entry.by_tables.push(name.clone().into_bytes());
                }
            }
        }
        // A word such as `False` stands for much, and is no name of MUSA's.
        all.retain(|word, before| {
            !before.by_tables.is_empty()
                || before.kind == WordKind::Assembly
                || speaks_of(musa, word)
        });
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
        self.musa.is_some_and(|musa| is_of(musa, &shown)) && !texts.any(own)
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

/// The words of some texts. A finder of all that the tables know costs more than all the rest, and a patch speaks of
/// little of it.
struct PatchWords<'t>(FxHashSet<&'t [u8]>);

impl<'t> PatchWords<'t> {
    fn of(patched: &'t [Patched]) -> Self {
        let mut all = FxHashSet::default();
        let texts = |one: &'t Patched| [Some(one.path.as_bytes()), one.new.as_deref()];
        for text in patched.iter().flat_map(texts).flatten() {
            for word in text.split(|byte| !is_identifier_part(*byte)) {
                all.insert(word);
                // The letter of an option or of an escape may stand before it.
                all.insert(word.get(1..).unwrap_or_default());
            }
        }
        Self(all)
    }

    /// Whether each word of a text is among them.
    fn has(&self, text: &[u8]) -> bool {
        let mut words = text.split(|byte| !is_identifier_part(*byte));
        words.all(|word| word.is_empty() || self.0.contains(word))
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

/// Whether an edit says what a word was: it has text on both sides, or is lines that the port puts in.
fn is_word(edit: &Edit, text: &[u8]) -> bool {
    let old = edit.range.of(text);
    let plain = |text: &[u8]| text.iter().any(|byte| is_identifier_part(*byte));
    if old.is_empty() {
        return edit.replacement.ends_with(b"\n") && plain(&edit.replacement);
    }
    plain(&edit.replacement)
}

/// Whether a text speaks of MUSA, or is what the port puts in for it.
fn speaks_of(musa: Option<&Vendor>, text: &[u8]) -> bool {
    let mut words = text.split(|byte| !is_identifier_part(*byte));
    words.any(|word| {
        let word = String::from_utf8_lossy(word);
        word == stub::FOLDER || musa.is_some_and(|musa| is_of(musa, &word))
    })
}

fn is_of(musa: &Vendor, word: &str) -> bool {
    musa.owns_macro(word)
        || musa.owns_name(word)
        || musa.dispatches.iter().any(|one| one == word)
        || word.to_ascii_lowercase().contains(&musa.name)
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
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let known = words.whole(name);
    let known = known.map(|one| String::from_utf8_lossy(&one).into_owned());
    let name = known.unwrap_or_else(|| with_old_ending(name, &words.files.rename));
    if folder.is_empty() {
        name
    } else {
        format!("{folder}/{name}")
    }
}

/// A path with CUDA's ending in place of MUSA's.
fn with_old_ending(path: &str, endings: &BTreeMap<String, String>) -> String {
    let mut pairs = endings.iter();
    pairs
        .find_map(|(old, new)| Some(format!("{}{old}", path.strip_suffix(new.as_str())?)))
        .unwrap_or_else(|| path.to_owned())
}
