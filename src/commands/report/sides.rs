//! The lines that a port changed, beside those of the original: from the port's output and its map alone.

use std::path::Path;

use crate::config::display_path;
use crate::edit::MappedEdit;
use crate::emit::{ManifestEntry, PathText, PortedTree};
use crate::report::{Piece, SideBySide, SidesOfFile};
use crate::text::{LineIndex, TextRange, line_start};

/// The changed lines of each file of a port; none where the output is no port any more.
pub(super) fn of(output: &Path) -> Vec<SidesOfFile> {
    let Ok(port) = PortedTree::open(output) else {
        return Vec::new();
    };
    let files = port.manifest.files.iter();
    files.filter_map(|row| of_file(&port, row)).collect()
}

fn of_file(port: &PortedTree, row: &ManifestEntry) -> Option<SidesOfFile> {
    let path = row.path.to_path()?;
    let edits = port.map.file(path.as_os_str().as_encoded_bytes());
    if edits.edits().is_empty() {
        return None;
    }
    let now = port.text(&path)?;
    let new = port.written(row, &now)?;
    let old = edits.original(&new)?;
    let source = row.source.as_ref().and_then(PathText::to_path);
    Some(SidesOfFile {
        source: display_path(source.as_deref().unwrap_or(&path)),
        path: display_path(&path),
        hunks: hunks(&old, &new, edits.edits()),
    })
}

/// Lines that belong together, in both texts, with the edits in them.
struct Lines<'m> {
    old: TextRange,
    new: TextRange,
    edits: Vec<MappedEdit<'m>>,
}

fn hunks(old: &[u8], new: &[u8], edits: &[MappedEdit<'_>]) -> Vec<SideBySide> {
    let mut all: Vec<Lines<'_>> = Vec::new();
    for edit in edits {
        let (here, there) = lines((old, edit.old), (new, edit.new));
        match all.last_mut() {
            Some(last) if here.start < last.old.end || there.start < last.new.end => {
                last.old.end = last.old.end.max(here.end);
                last.new.end = last.new.end.max(there.end);
                last.edits.push(*edit);
            }
            _ => all.push(Lines {
                old: here,
                new: there,
                edits: vec![*edit],
            }),
        }
    }
    let (old_lines, new_lines) = (LineIndex::new(old), LineIndex::new(new));
    let of = |one: &Lines<'_>| {
        let changed = one.edits.iter();
        let (before, after) = changed.map(|edit| (edit.old, edit.new)).unzip();
        SideBySide {
            old_line: old_lines.position(old, one.old.start).line,
            new_line: new_lines.position(new, one.new.start).line,
            old: pieces(old, one.old, before),
            new: pieces(new, one.new, after),
        }
    };
    all.iter().map(of).collect()
}

/// The lines of both texts that two ranges lie in, with their ends; none of a text in which whole lines are not there.
fn lines(
    (old, before): (&[u8], TextRange),
    (new, after): (&[u8], TextRange),
) -> (TextRange, TextRange) {
    let starts = (line_start(old, before.start), line_start(new, after.start));
    let ends_line = |text: &[u8], at: usize| line_start(text, at) == at;
    let is_whole = ends_line(old, before.end) && ends_line(new, after.end);
    let end = |text: &[u8], at: usize| {
        let behind = text.get(at..).unwrap_or_default();
        match memchr::memchr(b'\n', behind) {
            _ if is_whole => at,
            Some(end) => at + end + 1,
            None => text.len(),
        }
    };
    (
        TextRange::new(starts.0, end(old, before.end)),
        TextRange::new(starts.1, end(new, after.end)),
    )
}

/// A text in pieces, each with whether it was changed.
fn pieces(text: &[u8], all: TextRange, changed: Vec<TextRange>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = all.start;
    let mut add = |is_changed: bool, from: usize, to: usize| {
        if from < to {
            let piece = TextRange::new(from, to).of(text);
            pieces.push((is_changed, String::from_utf8_lossy(piece).into_owned()));
        }
    };
    for range in changed {
        add(false, from, range.start);
        add(true, range.start, range.end);
        from = range.end;
    }
    add(false, from, all.end);
    if let Some((_, last)) = pieces.last_mut() {
        last.truncate(last.trim_end_matches(['\n', '\r']).len());
    }
    pieces
}
