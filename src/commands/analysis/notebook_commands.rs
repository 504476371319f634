//! The commands in the cells of a notebook, `!pip install …`, `!CUDA_VISIBLE_DEVICES=0 python train.py`: they are a script's,
//! and the rules for scripts translate them.

use super::file_analysis::FileAnalysis;
use crate::diagnostic::{Finding, FindingCell, Kept};
use crate::edit::Edit;
use crate::mapping::files::BuildLanguage;
use crate::mapping::python::embedded::Notebooks;
use crate::mapping::{Dialect, contains_one, has};
use crate::rules::Outcome;
use crate::rules::build::{self, BuildCode};
use crate::syntax::hash_comments;
use crate::syntax::notebook::{Cell, Notebook};
use crate::text::{LineIndex, TextRange};

/// What becomes of the commands of a notebook.
#[derive(Default)]
pub(super) struct Commands {
    /// The findings, each at its place in its cell.
    pub(super) findings: Vec<Finding>,
    /// The edits of the notebook's code, those of each cell in groups of their own.
    pub(super) edits: Vec<Vec<Edit>>,
    /// The references in the notebook's code that stay for a reason that is no fault.
    pub(super) kept: Vec<Kept>,
    /// The places in the file that all of these speak of, sorted by their starts.
    places: Vec<TextRange>,
}

impl Commands {
    /// Whether something in a stretch of the file is reported already, or needs no word.
    pub(super) fn mention(&self, place: TextRange) -> bool {
        let from = self.places.partition_point(|one| one.start < place.start);
        let behind = self.places.get(from..).unwrap_or_default().iter();
        let mut inside = behind.take_while(|one| one.start <= place.end);
        inside.any(|&range| place.covers(range))
    }

    /// Take in what the rules say of a cell.
    fn take_in(&mut self, notebook: &Notebook, cell: &Cell, out: Outcome) {
        let in_file = |range: TextRange| notebook.code.near(range.shifted(cell.start));
        let kept = out.kept.iter().map(|one| one.range);
        let edited = out.edits.iter().map(|edit| edit.range);
        let reported = out.findings.iter().map(|one| one.range);
        let places = kept.chain(edited).chain(reported);
        self.places.extend(places.map(in_file));
        self.kept.extend(out.kept.iter().map(|one| Kept {
            range: one.range.shifted(cell.start),
            reason: one.reason,
        }));
        let of_code = out.edits.iter().map(|edit| Edit {
            range: edit.range.shifted(cell.start),
            ..edit.clone()
        });
        self.edits.push(of_code.collect());
        let placed = out.findings.into_iter().map(|finding| Finding {
            range: in_file(finding.range),
            cell: Some(Box::new(FindingCell {
                number: cell.number,
                source: cell.source.clone(),
                range: finding.range,
            })),
            ..finding
        });
        self.findings.extend(placed);
    }

    /// Whether there is nothing to say or to do.
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.edits.iter().all(Vec::is_empty)
    }
}

/// What becomes of the commands of a notebook by the rules for scripts.
pub(super) fn translate_commands(file: FileAnalysis<'_, '_>, notebook: &Notebook) -> Commands {
    let table = &file.context.knowledge.embedded.notebook;
    let mut all = Commands::default();
    for cell in &notebook.cells {
        let text = if cell.is_foreign {
            script(cell, table)
        } else {
            commands(notebook, cell, table)
        };
        if let Some(text) = text {
            let out = look_at(file, notebook, cell, &text);
            all.take_in(notebook, cell, out);
        }
    }
    all.places.sort_unstable_by_key(|place| place.start);
    all
}

/// What the rules for scripts say of the commands of a cell. Of commands that compile CUDA's sources they only see what is
/// installed, because the cells with these sources stay; and so where an edit has no place in the file.
fn look_at(file: FileAnalysis<'_, '_>, notebook: &Notebook, cell: &Cell, text: &[u8]) -> Outcome {
    let lines = LineIndex::new(text);
    let comments = hash_comments(text);
    let code = BuildCode {
        language: BuildLanguage::Shell,
        comments: &comments,
        cmake: None,
        scripts: file.shared.scripts,
    };
    let unit = file.unit(text, &lines, code);
    let table = &file.context.knowledge.embedded.notebook;
    let compiles =
        contains_one(text, &table.compilers) && contains_one(text, &table.source_endings);
    // In the portable dialect, scripts stay as well.
    if file.settings.dialect == Dialect::Musa && !compiles {
        let mut out = Outcome::default();
        build::check(&unit, &mut out);
        let has_place = |edit: &Edit| {
            notebook
                .code
                .spread(edit.range.shifted(cell.start))
                .is_some()
        };
        if out.edits.iter().all(has_place) {
            return out;
        }
    }
    let mut out = Outcome::default();
    build::check_installs(&unit, &mut out);
    out
}

/// The text of a cell that is a script of the shell's, but for its first line: `%%bash`.
fn script(cell: &Cell, table: &Notebooks) -> Option<Vec<u8>> {
    let source = &*cell.source;
    let front = source.len() - source.trim_ascii_start().len();
    let magic = source.get(front..)?.strip_prefix(b"%%")?;
    let line = memchr::memchr(b'\n', magic)?;
    let mut words = magic.get(..line)?.split(u8::is_ascii_whitespace);
    if !words.next().is_some_and(|word| has(&table.shells, word)) {
        return None;
    }
    let mut text = source.to_vec();
    text.get_mut(front..front + 2 + line)?.fill(b' ');
    Some(text)
}

/// The text of a cell with nothing but its commands, each of them at its place.
fn commands(notebook: &Notebook, cell: &Cell, table: &Notebooks) -> Option<Vec<u8>> {
    let blank = |&byte: &u8| if byte == b'\n' { byte } else { b' ' };
    let mut text: Vec<u8> = cell.source.iter().map(blank).collect();
    let mut is_any = false;
    let end = cell.start + cell.source.len();
    let from = notebook
        .foreign
        .partition_point(|one| one.range.start < cell.start);
    let behind = notebook.foreign.get(from..).unwrap_or_default().iter();
    for line in behind.take_while(|one| one.range.end <= end) {
        let mark = line.mark - cell.start;
        let end = behind_command(&cell.source, line.range.end - cell.start);
        let Some(command) = cell.source.get(mark + 1..end) else {
            continue;
        };
        let is_command = match cell.source.get(mark) {
            Some(b'!') => true,
            Some(b'%') => {
                let name = command.split(u8::is_ascii_whitespace).next();
                name.is_some_and(|name| has(&table.command_magics, name))
            }
            _ => false,
        };
        if let Some(place) = text.get_mut(mark + 1..end).filter(|_| is_command) {
            place.copy_from_slice(command);
            is_any = true;
        }
    }
    is_any.then_some(text)
}

/// Where a command ends whose first line ends at an offset: a backslash takes the next line to it, if there is one.
fn behind_command(source: &[u8], mut end: usize) -> usize {
    while end < source.len() && source.get(..end).is_some_and(|text| text.ends_with(b"\\")) {
        let behind = source.get(end + 1..).unwrap_or_default();
        let line = memchr::memchr(b'\n', behind).unwrap_or(behind.len());
        end = (end + 1 + line).min(source.len());
    }
    end
}
