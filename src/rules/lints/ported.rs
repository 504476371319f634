//! A project with what a port makes of its files.

use std::sync::OnceLock;

use torchada_classify::FileKind;
use torchada_diagnostic::codes::build::NOT_FOLLOWED;
use torchada_diagnostic::{Code, Finding};
use torchada_edit::{Applied, Edit, Edits};
use torchada_project::python_builds::{AtEdits, PortTexts};
use torchada_project::{Context, FileText, Project, Source, paths};
use torchada_syntax::{hash_comments, python_strings};
use torchada_text::{LineIndex, TextRange, first_of, is_part_of_word};

/// How many sources a message names.
const SHOWN: usize = 5;

/// A project after translation.
pub struct Ported<'a> {
    /// Its files.
    pub project: &'a Project,
    /// The edits to each.
    pub edits: &'a [Edits],
    /// Tables.
    pub context: Context<'a>,
    /// Where the lines of the files with findings begin.
    lines: Vec<OnceLock<LineIndex>>,
}

impl<'a> Ported<'a> {
    /// A project whose files are translated by these edits.
    pub fn new(project: &'a Project, edits: &'a [Edits], context: Context<'a>) -> Self {
        Self {
            project,
            edits,
            context,
            lines: project.files.iter().map(|_| OnceLock::new()).collect(),
        }
    }

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

    /// The text of a place in a file before the port.
    pub(super) fn text_at(&self, (file, range): (usize, TextRange)) -> String {
        let text = self
            .project
            .files
            .get(file)
            .and_then(|one| one.text.as_deref());
        String::from_utf8_lossy(range.of(text.unwrap_or_default())).into_owned()
    }

    /// Report at a place that `what` does not show which sources it names, where the port renames sources below the file's
    /// folder that `is_listed` does not know.
    pub(super) fn not_followed(
        &self,
        (file, range): (usize, TextRange),
        what: &str,
        is_listed: impl Fn(usize) -> bool,
    ) -> Option<(usize, Finding)> {
        let files = &self.project.files;
        let folder = paths::folder(files.get(file).map_or("", |file| &*file.path));
        let is_below = |path: &str| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
        };
        let left = files.iter().enumerate().filter(|(at, source)| {
            source.is_renamed()
                && self.context.knowledge.files.is_cuda(&source.path)
                && is_below(&source.path)
                && !is_listed(*at)
        });
        let left: Vec<&str> = left.map(|(_, source)| &*source.path).collect();
        if left.is_empty() {
            return None;
        }
        let message = format!(
            "{what} is not clear from the files, and these sources stand in no other list: {}",
            shown(&left)
        );
        let help = "see by hand that each of them reaches a compiler of MUSA's under its new name";
        self.finding(file, NOT_FOLLOWED, range, message, help.to_owned())
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
        let lines = self.lines.get(index)?;
        let lines = lines.get_or_init(|| LineIndex::new(text));
        let finding = Finding::at(code, &file.path, text, lines, range, message);
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

/// The first of several names, and how many more there are.
pub(super) fn shown(names: &[impl AsRef<str>]) -> String {
    first_of(names, SHOWN)
}
