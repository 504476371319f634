//! The commands in the cells of a notebook, `!pip install …`, `!CUDA_VISIBLE_DEVICES=0 python train.py`: they are a script's,
//! and the rules for scripts translate them.

use super::translated::AnalysisContext;
use crate::diagnostic::{Finding, FindingCell, Kept};
use crate::edit::{Edit, GroupId};
use crate::mapping::Dialect;
use crate::mapping::files::BuildLanguage;
use crate::mapping::python::embedded::Notebooks;
use crate::project::Source;
use crate::rules::Outcome;
use crate::rules::build::{self, BuildCode};
use crate::syntax::hash_comments;
use crate::syntax::notebook::{Cell, Notebook};
use crate::text::{LineIndex, TextRange, contains};

/// The front of a command that the shell runs.
const SHELL: u8 = b'!';

/// What becomes of the commands of a notebook.
#[derive(Default)]
pub(super) struct Commands {
    /// The findings, each at its place in its cell.
    pub(super) findings: Vec<Finding>,
    /// The edits of the notebook's code, in groups of their own.
    pub(super) edits: Vec<Edit>,
    /// The number of the last group of these.
    groups: u32,
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
        let before = self.groups;
        self.edits.extend(out.edits.iter().map(|edit| Edit {
            range: edit.range.shifted(cell.start),
            group: GroupId(before + edit.group.0),
            ..edit.clone()
        }));
        let last = out.edits.iter().map(|edit| edit.group.0).max();
        self.groups += last.unwrap_or(0);
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
        self.findings.is_empty() && self.edits.is_empty()
    }
}

/// What becomes of the commands of a notebook by the rules for scripts.
pub(super) fn translate_commands(
    analysis: AnalysisContext<'_, '_>,
    index: usize,
    file: &Source,
    notebook: &Notebook,
) -> Commands {
    let table = &analysis.context.knowledge.embedded.notebook;
    let cells = notebook.cells.iter().filter(|cell| !cell.is_foreign);
    let mut all = Commands::default();
    for cell in cells {
        if let Some(text) = commands(table, notebook, cell) {
            let out = look_at(analysis, index, file, (notebook, cell), &text);
            all.take_in(notebook, cell, out);
        }
    }
    all.places.sort_unstable_by_key(|place| place.start);
    all
}

/// What the rules for scripts say of the commands of a cell. Of commands that compile CUDA's sources they only see what is
/// installed, because the cells with these sources stay; and so where an edit has no place in the file.
fn look_at(
    analysis: AnalysisContext<'_, '_>,
    index: usize,
    file: &Source,
    (notebook, cell): (&Notebook, &Cell),
    text: &[u8],
) -> Outcome {
    let lines = LineIndex::new(text);
    let comments = hash_comments(text);
    let code = BuildCode {
        language: BuildLanguage::Shell,
        comments: &comments,
        cmake: None,
        scripts: analysis.scripts,
    };
    let unit = analysis.unit(index, file, (text, &lines), code);
    let compilers = &analysis.context.knowledge.embedded.notebook.compilers;
    let compiles = compilers.iter().any(|one| contains(text, one));
    // In the portable dialect, scripts stay as well.
    if analysis.settings.dialect == Dialect::Musa && !compiles {
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

/// The text of a cell with nothing but its commands, each of them at its place.
fn commands(table: &Notebooks, notebook: &Notebook, cell: &Cell) -> Option<Vec<u8>> {
    let blank = |&byte: &u8| if byte == b'\n' { byte } else { b' ' };
    let mut text: Vec<u8> = cell.source.iter().map(blank).collect();
    let mut is_any = false;
    let end = cell.start + cell.source.len();
    let from = notebook
        .foreign
        .partition_point(|one| one.start < cell.start);
    let behind = notebook.foreign.get(from..).unwrap_or_default().iter();
    let own = behind.take_while(|one| one.end <= end);
    for range in own {
        let end = behind_command(&cell.source, range.end - cell.start);
        let range = TextRange::new(range.start - cell.start, end);
        let command = range.of(&cell.source);
        let trimmed = command.trim_ascii_start();
        let front = command.len() - trimmed.len();
        let is_command = trimmed.first() == Some(&SHELL) || table.is_command_magic(trimmed);
        if let Some(place) = text
            .get_mut(range.start + front + 1..range.end)
            .filter(|_| is_command)
            && let Some(shown) = command.get(front + 1..)
        {
            place.copy_from_slice(shown);
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
