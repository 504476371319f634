//! A project with what a port makes of its files.

use torchada_classify::FileKind;
use torchada_diagnostic::{Code, Finding};
use torchada_edit::{Applied, Edit, Edits};
use torchada_project::python_builds::{AtEdits, PortTexts};
use torchada_project::{Context, FileText, Project, Source};
use torchada_syntax::{hash_comments, python_strings};
use torchada_text::{LineIndex, TextRange, is_part_of_word};

/// A project after translation.
pub struct Ported<'a> {
    /// Its files.
    pub project: &'a Project,
    /// The edits to each.
    pub edits: &'a [Edits],
    /// Tables.
    pub context: Context<'a>,
}

impl<'a> Ported<'a> {
    /// The files that this run translates.
    pub(super) fn files(&self) -> impl Iterator<Item = (usize, &'a Source, &'a FileText)> {
        let files = self.project.files.iter().enumerate();
        files.filter_map(|(index, file)| {
            let is_ported = file.disposition == torchada_project::Disposition::Ported;
            let text = file.text.as_ref().filter(|_| is_ported)?;
            Some((index, file, text))
        })
    }

    /// The new text of the file at `index`.
    pub(super) fn new_text(&self, index: usize) -> Vec<u8> {
        let file = self.project.files.get(index);
        let old = file.and_then(|file| file.text.as_ref());
        let old: &[u8] = &old.map(FileText::once).unwrap_or_default();
        let edits = self.edits.get(index);
        edits.map_or_else(|| old.to_vec(), |edits| edits.apply(old).text)
    }

    /// The edits of the file at `index`.
    pub(super) fn edits(&self, index: usize) -> &'a [Edit] {
        self.edits.get(index).map_or(&[], |edits| edits)
    }

    /// The edit that touches a place.
    pub(super) fn edit_at(&self, index: usize, range: TextRange) -> Option<&'a Edit> {
        let edits = self.edits(index);
        let first =
            edits.partition_point(|edit| edit.range.end <= range.start && edit.range != range);
        edits.get(first).filter(|edit| edit.range.overlaps(range))
    }

    pub(super) fn finding(
        &self,
        index: usize,
        code: Code,
        range: TextRange,
        message: String,
        help: String,
    ) -> Option<(usize, Finding)> {
        let file = self.project.files.get(index)?;
        let text = file.text.as_deref()?;
        let lines = LineIndex::new(text);
        let finding = Finding::at(code, &file.path, text, &lines, range, message);
        Some((index, finding.help(help)))
    }
}

impl PortTexts for Ported<'_> {
    fn is_changed(&self, file: usize) -> bool {
        !self.edits(file).is_empty()
    }

    fn text(&self, file: usize) -> Vec<u8> {
        self.new_text(file)
    }

    fn at_edits(&self, file: usize) -> AtEdits {
        let source = self.project.files.get(file);
        let text = source.and_then(|source| source.text.as_ref());
        let old = text.map(FileText::once).unwrap_or_default();
        let applied = self.edits.get(file).map(|edits| edits.apply(&old));
        let Some(Applied { text: new, map }) = applied else {
            return AtEdits::default();
        };
        let mut found = AtEdits {
            length: new.len(),
            ..AtEdits::default()
        };
        for &(before, after) in map.edits() {
            push_words(&old, before, &mut found.old);
            push_words(&new, after, &mut found.new);
        }
        found
    }
}

/// Put what stands at a place behind other words, with all of the words that the place begins or ends in.
fn push_words(text: &[u8], place: TextRange, words: &mut Vec<u8>) {
    let is_part = |byte: &&u8| is_part_of_word(**byte);
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    let start = place.start - before.iter().rev().take_while(is_part).count();
    let end = place.end + behind.iter().take_while(is_part).count();
    words.extend_from_slice(TextRange::new(start, end).of(text));
    words.push(b'\n');
}

/// Whether a program reads parts of a file as text.
pub(super) fn is_text_in_use(file: &Source) -> bool {
    matches!(file.class.kind, FileKind::Python | FileKind::Build)
}

/// The parts of a text that a program reads as text: strings of Python, and build files outside of comments. Empty for
/// other kinds of files.
pub(super) fn text_in_use(file: &Source, text: &[u8]) -> Vec<TextRange> {
    match file.class.kind {
        FileKind::Python => python_strings(text).unwrap_or_default(),
        FileKind::Build => {
            let mut found = Vec::new();
            let mut start = 0;
            for comment in hash_comments(text) {
                found.push(TextRange::new(start, comment.start));
                start = comment.end;
            }
            found.push(TextRange::new(start, text.len()));
            found
        }
        _ => Vec::new(),
    }
}

/// The places of a whole word in a stretch of a text.
pub(super) fn places(text: &[u8], within: TextRange, word: &str) -> Vec<TextRange> {
    let is_part = |at: Option<usize>| {
        at.and_then(|at| text.get(at))
            .is_some_and(|&byte| torchada_syntax::is_identifier_part(byte))
    };
    memchr::memmem::find_iter(within.of(text), word.as_bytes())
        .map(|at| TextRange::new(within.start + at, within.start + at + word.len()))
        .filter(|one| !is_part(one.start.checked_sub(1)) && !is_part(Some(one.end)))
        .collect()
}
