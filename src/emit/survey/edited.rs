//! Files that a person changed since the last port.

use std::path::{Path, PathBuf};

use super::{PlacedContent, Placing, Survey, SurveyInputs};
use crate::config::{OnConflict, display_path};
use crate::diagnostic::codes::project::{CONFLICT, UNRESOLVED};
use crate::diagnostic::{Code, Finding};
use crate::emit::bases::is_text;
use crate::emit::merge::{self, Sides};
use crate::emit::record::{FileRecord, WHOLE};
use crate::emit::survey::PreviousFile;
use crate::emit::{EmitError, OutputFile, content};
use crate::files::PathKind;
use crate::text::{LineIndex, TextRange};

/// What becomes of a text that both a person and the port have changed.
enum Merging {
    Done(merge::Merged),
    /// The port's is no text, or both are too large to be merged.
    NoText,
    /// What both have changed is not known.
    NoBase,
}

/// Count a file as one that was edited, and mark its conflicts.
fn count(file: &OutputFile, merged: &merge::Merged, port_changed: bool, done: &mut Survey<'_>) {
    if merged.conflicts > 0 {
        done.edits.conflicts += 1;
        mark(CONFLICT, &file.path, &merged.text, done);
        return;
    }
    if port_changed {
        done.edits.merged += 1;
    } else {
        done.edits.kept += 1;
    }
    done.edited.push(file.path.clone());
}

impl<'a> SurveyInputs<'a, '_> {
    /// Decide what becomes of it. `yours` is where it lies, which may be under an old name, and
    /// what it holds.
    pub(super) fn edited(
        &self,
        file: &'a OutputFile,
        planned: &FileRecord,
        yours: (&PathBuf, &FileRecord),
        known: &PreviousFile,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let (path, found) = yours;
        let is_moved = *path != file.path;
        let port_changed = !known.record.same_content(planned);
        let placing = Placing {
            file,
            path: file.path.clone(),
            what: PlacedContent::Planned,
            mode: merge::mode(known.record.mode(), found.mode(), planned.mode()),
            from: is_moved.then(|| (path.clone(), found.clone())),
            replaces: !is_moved,
        };
        let text = self.text_of(yours)?;
        let Some(text) = text.filter(|_| !self.is_open(&file.path)) else {
            return self.unmergeable(placing, planned, port_changed, done);
        };
        // What an earlier port marked is decided before anything else comes in.
        let is_marked = merge::has_marks(&text);
        let resolved = match (is_marked, sides(self.plan.on_conflict)) {
            (false, _) => Some(text.clone()),
            (true, Some(sides)) if sides != Sides::Both => merge::resolve_conflicts(&text, sides),
            _ => None,
        };
        let Some(resolved) = resolved else {
            self.leave_marked(file, path, &text, known, done);
            return Ok(());
        };
        let merging = if port_changed {
            self.merged(file, path, &resolved, known)?
        } else {
            Merging::Done(merge::Merged {
                text: resolved,
                conflicts: 0,
            })
        };
        let merged = match merging {
            Merging::Done(merged) => merged,
            Merging::NoText => return self.unmergeable(placing, planned, port_changed, done),
            Merging::NoBase => {
                done.refused.push(path.clone());
                return Ok(());
            }
        };
        if merged.conflicts > 0 && self.plan.on_conflict == OnConflict::Stop {
            done.disputed.push(path.clone());
            return Ok(());
        }
        count(file, &merged, port_changed, done);
        if merged.text == text && !is_moved {
            done.same += 1;
        } else {
            done.placings.push(Placing {
                what: PlacedContent::Merged(merged.text),
                ..placing
            });
        }
        Ok(())
    }

    /// The text of a file that lies in the output; `None` where it is no text, or a large one.
    fn text_of(
        &self,
        (path, found): (&PathBuf, &FileRecord),
    ) -> Result<Option<Vec<u8>>, EmitError> {
        let failed = EmitError::early(path);
        let kind = self.root.look(path).map_err(failed)?;
        match (found, kind) {
            (FileRecord::File { .. }, PathKind::File { size, .. }) if size <= WHOLE => {
                let text = self.root.read(path, WHOLE).map_err(failed)?;
                Ok(Some(text).filter(|text| is_text(text)))
            }
            _ => Ok(None),
        }
    }

    /// The person's text with what the port has changed since the last one.
    fn merged(
        &self,
        file: &OutputFile,
        path: &Path,
        yours: &[u8],
        known: &PreviousFile,
    ) -> Result<Merging, EmitError> {
        let theirs = content::text(self.plan, file).map_err(EmitError::early(path))?;
        let Some(theirs) = theirs.filter(|text| is_text(text)) else {
            return Ok(Merging::NoText);
        };
        let Some(base) = self.bases.text(path, &known.record) else {
            return Ok(Merging::NoBase);
        };
        if !merge::is_feasible(&base, yours, &theirs) {
            return Ok(Merging::NoText);
        }
        let sides = sides(self.plan.on_conflict).unwrap_or(Sides::Both);
        Ok(Merging::Done(merge::merge(&base, yours, &theirs, sides)))
    }

    /// Leave a file whose marks nobody has dealt with, and remember the port that marked it: what
    /// has changed since is merged once the marks are gone.
    fn leave_marked(
        &self,
        file: &'a OutputFile,
        path: &Path,
        text: &[u8],
        known: &PreviousFile,
        done: &mut Survey<'a>,
    ) {
        if self.plan.on_conflict == OnConflict::Stop {
            done.disputed.push(path.to_owned());
            return;
        }
        done.edits.conflicts += 1;
        done.same += 1;
        done.rows.remove(&file.path);
        done.rows.insert(path.to_owned(), known.row.clone());
        mark(UNRESOLVED, path, text, done);
    }
}

fn sides(on_conflict: OnConflict) -> Option<Sides> {
    match on_conflict {
        OnConflict::Mark => Some(Sides::Both),
        OnConflict::Ours => Some(Sides::Yours),
        OnConflict::Theirs => Some(Sides::Port),
        OnConflict::Stop => None,
    }
}

/// A finding for each marked place of a text.
fn mark(code: Code, path: &Path, text: &[u8], done: &mut Survey<'_>) {
    let shown = display_path(path);
    let lines = LineIndex::new(text);
    for start in merge::places(text) {
        let end = text.get(start..).unwrap_or_default();
        let end = end.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
        let range = TextRange::new(start, end.map_or(text.len(), |length| start + length));
        let line = lines.position(text, start).line;
        let (message, help) = if code.id == UNRESOLVED.id {
            (
                format!(
                    "`{shown}` has marks of an earlier port at line {line}, and was left as it is"
                ),
                "decide each place and remove its marks, then port again; or say --on-conflict ours or theirs",
            )
        } else {
            (
                format!("`{shown}` was changed by you and by the port at line {line}"),
                "the file has both, and what was there before: keep what is right, and remove the marks",
            )
        };
        done.findings
            .push(Finding::at(code, &shown, text, &lines, range, message).help(help));
    }
}
