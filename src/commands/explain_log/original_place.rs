//! From a place in a file of the port to the place in the original.

use super::tree::PortTree;
use crate::commands::same_text::{Same, same};
use crate::edit::{FileMap, MappedEdit};
use crate::syntax::{identifier_at, whole_words};
use crate::text::{LineIndex, TextRange};

/// A file of the port, as it is now, as it was written, and as the original has it.
pub(super) struct FileBack<'m> {
    now: Vec<u8>,
    lines: LineIndex,
    /// What is as the port wrote it, where somebody changed the file.
    same: Option<Vec<Same>>,
    map: FileMap<'m>,
    /// The text of the original.
    pub(super) original: Vec<u8>,
    /// The lines of that.
    pub(super) original_lines: LineIndex,
    /// Whether the text of the original is known.
    is_known: bool,
}

/// A place in the original.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginalPlace<'m> {
    /// The bytes that are meant.
    pub(super) range: TextRange,
    /// The edit that the place in the port lies in.
    pub(super) edit: Option<MappedEdit<'m>>,
    /// Whether the port was changed there, so that the place is only about right.
    pub(super) approximate: bool,
    /// Whether the line is one that somebody wrote since the port.
    pub(super) is_new: bool,
}

impl<'m> FileBack<'m> {
    /// The file of a row; `None` where it can't be read.
    pub(super) fn new(tree: &'m PortTree, row: usize) -> Option<Self> {
        let row = tree.row(row)?;
        let path = row.path.to_path()?;
        let now = tree.port.text(&path)?;
        let written = tree.port.written(row, &now);
        let map = tree.port.map.file(path.as_os_str().as_encoded_bytes());
        let same = match &written {
            Some(written) if *written == now => None,
            Some(written) => Some(same(written, &now)),
            None => Some(Vec::new()),
        };
        let original = written.as_ref().and_then(|written| map.original(written));
        // The map may be of another port than the file, where a run was cut short.
        let hash = row.source_hash();
        let original = original.filter(|text| hash.is_none_or(|hash| blake3::hash(text) == hash));
        let is_known = original.is_some();
        let original = original.or(written).unwrap_or_else(|| now.clone());
        Some(Self {
            lines: LineIndex::new(&now),
            original_lines: LineIndex::new(&original),
            now,
            same,
            map,
            original,
            is_known,
        })
    }

    /// The edits that made the file.
    pub(super) fn edits(&self) -> &[MappedEdit<'m>] {
        self.map.edits()
    }

    /// The place in the original of a line and column of the port. `name` is what the message is about, which may
    /// stand beside the column.
    pub(super) fn place(
        &self,
        line: usize,
        column: usize,
        name: Option<&str>,
    ) -> OriginalPlace<'m> {
        let offset = self.offset(line, column, name);
        let (written, is_new) = self.written(offset);
        let (start, edit) = if self.is_known {
            self.map.to_original(written)
        } else {
            (written, None)
        };
        let range = match edit {
            Some(edit) => edit.old,
            None => word_at(&self.original, start),
        };
        OriginalPlace {
            range,
            edit,
            approximate: is_new || !self.is_known,
            is_new,
        }
    }

    /// The place in the original of an edit.
    pub(super) fn of_edit(&self, edit: MappedEdit<'m>) -> OriginalPlace<'m> {
        OriginalPlace {
            range: edit.old,
            edit: Some(edit),
            approximate: !self.is_known,
            is_new: false,
        }
    }

    /// The line and column of an offset of what the port wrote, as the file is now.
    pub(super) fn shown(&self, offset: usize) -> (usize, usize) {
        let at = self.lines.position(&self.now, self.now_of(offset));
        (at.line, at.column)
    }

    /// The text of a line of the port, as it is now.
    fn line_range(&self, line: usize) -> TextRange {
        let start = self.lines.start(line).unwrap_or(self.now.len());
        TextRange::new(start, start + self.lines.line(&self.now, line).len())
    }

    /// The edits on a line of the port.
    pub(super) fn edits_on(&self, line: usize) -> Vec<MappedEdit<'m>> {
        let range = self.line_range(line);
        let from = self.written(range.start).0;
        let to = self.written(range.end).0.max(from);
        let edits = self.map.edits().iter();
        edits
            .filter(|edit| edit.new.start <= to && edit.new.end >= from)
            .copied()
            .collect()
    }

    /// The offset of a line and column; of the name, where it stands on the line.
    fn offset(&self, line: usize, column: usize, name: Option<&str>) -> usize {
        let range = self.line_range(line);
        let text = range.of(&self.now);
        let indent = text.iter().take_while(|byte| byte.is_ascii_whitespace());
        let at = match column.checked_sub(1) {
            Some(at) => at.min(text.len()),
            None => indent.count(),
        };
        let name = name.unwrap_or_default().as_bytes();
        if name.is_empty() {
            return range.start + at;
        }
        // Columns are bytes, letters or cells of a screen, as the compiler pleases; of two uses the nearest is meant.
        let nearest = whole_words(text, name).min_by_key(|start| start.abs_diff(at));
        range.start + nearest.unwrap_or(at)
    }

    /// The offset in what the port wrote of one in the file as it is now, and whether somebody wrote it since.
    fn written(&self, offset: usize) -> (usize, bool) {
        let Some(same) = &self.same else {
            return (offset, false);
        };
        let at = same.partition_point(|one| one.new.start <= offset);
        match at.checked_sub(1).and_then(|last| same.get(last)) {
            None => (0, true),
            Some(one) if offset < one.new.end => (one.old.start + (offset - one.new.start), false),
            Some(one) => (one.old.end.saturating_sub(1), true),
        }
    }

    /// The offset in the file as it is now of one in what the port wrote.
    fn now_of(&self, offset: usize) -> usize {
        let Some(same) = &self.same else {
            return offset;
        };
        let at = same.partition_point(|one| one.old.start <= offset);
        match at.checked_sub(1).and_then(|last| same.get(last)) {
            None => 0,
            Some(one) if offset < one.old.end => one.new.start + (offset - one.old.start),
            Some(one) => one.new.end,
        }
    }
}

/// The word at an offset, or the byte there.
fn word_at(text: &[u8], offset: usize) -> TextRange {
    let start = offset.min(text.len());
    let end = identifier_at(text, start).end.max(start + 1);
    TextRange::new(start, end.min(text.len()))
}
