//! What words of MUSA's may have been: by the edits of this project's port, by its renames, and by the tables.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::apply::Patched;
use crate::commands::analysis::TranslatedTree;
use crate::edit::Edit;
use crate::mapping::files::FileTable;
use crate::mapping::ptx;
use crate::mapping::{Relation, Row, Section, Tables, Vendor};
use crate::project::Context;
use crate::stub;
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// The place where the port wrote a word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EditSite {
    pub(super) file: usize,
    /// Byte offset in the tree's file.
    pub(super) at: usize,
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
pub(super) struct Origins {
    /// The names that the port changed into the word, with the places.
    pub(super) seen: BTreeMap<Vec<u8>, Vec<EditSite>>,
    /// The other names that the tables change into the word, the one that is taken first in front.
    pub(super) by_tables: Vec<Vec<u8>>,
    /// Whether the tables themselves say which is the first.
    pub(super) is_known: bool,
    /// Whether the word is the name of a file.
    pub(super) is_file: bool,
    pub(super) kind: WordKind,
}

impl Origins {
    /// Note another name that the tables change into the word.
    fn note(&mut self, name: &[u8]) {
        if !self.by_tables.iter().any(|one| one == name) {
            self.by_tables.push(name.to_vec());
        }
    }
}

/// The words of MUSA's that stand in patched files, with what they may have been.
pub(super) fn of(
    before: &TranslatedTree,
    patched: &[Patched],
    context: Context<'_>,
    musa: Option<&Vendor>,
) -> BTreeMap<Vec<u8>, Origins> {
    let patch_words = PatchWords::of(patched);
    let mut all = BTreeMap::new();
    by_edits(before, &patch_words, &mut all);
    by_files(before, patched, &context.knowledge.files, &mut all);
    for section in Section::ALL {
        // Members and namespaces are common words by themselves.
        if !matches!(section, Section::Members | Section::Namespaces) {
            by_rows(section, context.tables, &patch_words, &mut all);
        }
    }
    by_intrinsics(context, &patch_words, &mut all);
    for (to, name) in programs(context) {
        if patch_words.has(to.as_bytes()) {
            let entry = all.entry(to.as_bytes().to_vec()).or_default();
            entry.is_known = true;
            entry.note(name.as_bytes());
        }
    }
    // A word such as `False` stands for much, and is no name of MUSA's.
    all.retain(|word, before| {
        !before.by_tables.is_empty() || before.kind == WordKind::Assembly || mentions(musa, word)
    });
    all
}

/// Note what the port changed into words.
fn by_edits(
    before: &TranslatedTree,
    patch_words: &PatchWords<'_>,
    all: &mut BTreeMap<Vec<u8>, Origins>,
) {
    let files = before.project.files.iter().zip(&before.translated);
    for (file, (source, done)) in files.enumerate() {
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
}

/// Note the endings of files, and the names of the tree's files and of those that are new.
fn by_files(
    before: &TranslatedTree,
    patched: &[Patched],
    names: &FileTable,
    all: &mut BTreeMap<Vec<u8>, Origins>,
) {
    for (old, new) in &names.rename {
        let entry = all.entry(new.clone().into_bytes()).or_default();
        (entry.is_known, entry.is_file) = (true, true);
        entry.kind = WordKind::Ending;
        entry.note(old.as_bytes());
    }
    let new = patched.iter().map(|one| one.path.as_str());
    let new = new.filter_map(|path| Some((names.with_cuda_ending(path)?, path)));
    let files = before.project.files.iter();
    let renamed = files.map(|file| (file.path.to_string(), &*file.output));
    for (old, new) in renamed.chain(new) {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let (old, new) = (name(&old), name(new));
        if old != new {
            let entry = all.entry(new.into_bytes()).or_default();
            (entry.is_known, entry.is_file) = (true, true);
            entry.note(old.as_bytes());
        }
    }
}

/// Note the names that the rows of a section change into words, the one that is taken first in front.
fn by_rows(
    section: Section,
    tables: &Tables,
    patch_words: &PatchWords<'_>,
    all: &mut BTreeMap<Vec<u8>, Origins>,
) {
    let has_counterpart = |row: &&Row| {
        let to = row.to.as_deref();
        to.is_some_and(|to| patch_words.has(to.as_bytes()))
    };
    let mut rows: Vec<_> = tables.rows(section).filter(has_counterpart).collect();
    let by_stem = |row: &Row| {
        let to = row.to.as_deref().unwrap_or_default();
        let mut stems = tables.stems().iter();
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
            && !tables.is_forbidden(row.cuda.as_bytes())
        {
            let entry = all.entry(to.as_bytes().to_vec()).or_default();
            entry.is_known |= entry.by_tables.is_empty() && (row.primary || by_stem(row));
            entry.note(row.cuda.as_bytes());
        }
    }
}

/// Note the functions of CUDA's that functions of the port's header do the work of.
fn by_intrinsics(
    context: Context<'_>,
    patch_words: &PatchWords<'_>,
    all: &mut BTreeMap<Vec<u8>, Origins>,
) {
    for (name, row) in context
        .ptx
        .map_or(&BTreeMap::new(), |ptx| ptx.table().intrinsics())
    {
        let call = format!("{}{}", ptx::NAMESPACE, row.helper);
        if patch_words.has(call.as_bytes()) {
            let entry = all.entry(call.into_bytes()).or_default();
            entry.is_known = true;
            entry.note(name.as_bytes());
        }
    }
}

/// Programs of MUSA's, each with the one of NVIDIA's that it stands for.
pub(super) fn programs(context: Context<'_>) -> impl Iterator<Item = (&str, &str)> {
    let commands = context.knowledge.commands.known.iter();
    commands.filter_map(|command| Some((command.to.as_deref()?, command.name.as_str())))
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
fn mentions(musa: Option<&Vendor>, text: &[u8]) -> bool {
    let mut words = text.split(|byte| !is_identifier_part(*byte));
    words.any(|word| {
        let word = String::from_utf8_lossy(word);
        word == stub::FOLDER || musa.is_some_and(|musa| is_of(musa, &word))
    })
}

/// Whether a word is one of MUSA's.
pub(super) fn is_of(musa: &Vendor, word: &str) -> bool {
    musa.owns_macro(word)
        || musa.owns_name(word)
        || musa.dispatches.iter().any(|one| one == word)
        || word.to_ascii_lowercase().contains(&musa.name)
}
