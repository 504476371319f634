//! Diffs of a port that is shown and not written.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::commands::Streams;
use crate::commands::analysis::TranslatedTree;
use crate::config::display_path;
use crate::edit::{Edit, Edits};
use crate::emit::{self, Content, EditLine, FileChange, Plan};
use crate::files;
use crate::mapping::safety;
use crate::text::LineIndex;
use crate::walk::EntryKind;

/// How many examples of each rule `--diff --by-rule` shows.
pub(super) const EXAMPLES: usize = 5;

/// Show the changes as a diff.
pub(super) fn diff(done: &TranslatedTree, plan: &Plan, streams: &mut Streams<'_>) -> Result<()> {
    for file in &plan.files {
        let Some(source) = &file.source else { continue };
        let Some(entry) = done.walk.get(source) else {
            continue;
        };
        let (old, new, link);
        match &file.content {
            Content::Copy if *source == file.path => continue,
            Content::Copy => {
                old = content(&plan.input.join(source)).unwrap_or_default();
                new = old.clone();
                link = false;
            }
            Content::Edited(edited) => {
                old = content(&plan.input.join(source))
                    .with_context(|| format!("can't read {}", display_path(source)))?;
                new = edited
                    .apply(&old)
                    .with_context(|| format!("can't port {}", display_path(source)))?;
                link = false;
            }
            Content::Text(text) => {
                old = content(&plan.input.join(source)).unwrap_or_default();
                new = text.clone();
                link = false;
            }
            Content::Link(target) => {
                let EntryKind::Link(before) = &entry.kind else {
                    continue;
                };
                if before == target && *source == file.path {
                    continue;
                }
                old = before.as_os_str().as_encoded_bytes().to_vec();
                new = target.as_os_str().as_encoded_bytes().to_vec();
                link = true;
            }
        }
        let change = FileChange {
            old_path: Some(source),
            new_path: Some(&file.path),
            old: &old,
            new: &new,
            old_mode: entry.mode,
            mode: entry.mode,
            link,
        };
        emit::diff(&change, streams.out)?;
    }
    Ok(())
}

/// The bytes of a file for a diff. A file that is too large for memory is represented by a zero byte, which makes it
/// binary, and its hash.
pub(super) fn content(path: &Path) -> io::Result<Vec<u8>> {
    if path.symlink_metadata()?.len() <= safety::BYTES_SOURCE {
        return files::read(path, safety::BYTES_SOURCE);
    }
    let mut bytes = vec![0];
    bytes.extend(files::open(path)?.hash()?.as_bytes());
    Ok(bytes)
}

/// The lines that edits change, one entry for each edit.
pub(super) fn edit_lines(done: &TranslatedTree) -> Vec<EditLine> {
    let mut lines = Vec::new();
    for (source, translated) in done.project.files.iter().zip(&done.translated) {
        if let Some(text) = source.text.as_ref().filter(|_| translated.is_changed()) {
            lines.extend(lines_of(&source.path, &translated.edits, &text.once()));
        }
    }
    lines
}

/// The lines that the edits of the file `path` change, one entry for each edit.
pub(super) fn lines_of(path: &str, edits: &Edits, text: &[u8]) -> Vec<EditLine> {
    if edits.is_empty() {
        return Vec::new();
    }
    let new = edits.apply(text);
    let (old_lines, new_lines) = (LineIndex::new(text), LineIndex::new(&new.text));
    let line_of = |edit: &Edit| {
        let line = old_lines.position(text, edit.range.start).line;
        let there = new.map.to_output(edit.range.start);
        let new_line = new_lines.position(&new.text, there).line;
        EditLine {
            rule: edit.rule,
            evidence: edit.evidence,
            path: path.to_owned(),
            line,
            before: old_lines.line(text, line).to_vec(),
            after: new_lines.line(&new.text, new_line).to_vec(),
        }
    };
    edits.iter().map(line_of).collect()
}
