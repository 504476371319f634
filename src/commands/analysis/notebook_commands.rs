//! The commands in the cells of a notebook that install something, `!pip install …`: the rules for scripts say what of it
//! is made for NVIDIA's GPUs.

use super::translated::AnalysisContext;
use crate::diagnostic::{Finding, FindingCell, KeptReason};
use crate::mapping::files::BuildLanguage;
use crate::project::Source;
use crate::rules::Outcome;
use crate::rules::build::{self, BuildCode};
use crate::syntax::notebook::{Cell, Notebook};
use crate::text::{LineIndex, TextRange};

/// The front of a command that the shell runs.
const SHELL: u8 = b'!';

/// The magics that run a command of the shell's.
const INSTALLERS: &[&[u8]] = &[b"%pip ", b"%conda ", b"%mamba "];

/// What the commands of a notebook install, and what they take away.
#[derive(Default)]
pub(super) struct Installed {
    /// The findings, each at its place in its cell.
    pub(super) findings: Vec<Finding>,
    /// The places in the file of packages that are taken away: where they are not there, nothing is to be done.
    taken_away: Vec<TextRange>,
}

impl Installed {
    /// Whether something in a stretch of the file is reported already, or needs no word.
    pub(super) fn mentions(&self, place: TextRange) -> bool {
        let reported = self.findings.iter().map(|one| one.range);
        let taken = self.taken_away.iter().copied();
        reported.chain(taken).any(|range| place.covers(range))
    }
}

/// What the commands of a notebook install, by the rules for scripts.
pub(super) fn installed(
    analysis: AnalysisContext<'_, '_>,
    index: usize,
    file: &Source,
    notebook: &Notebook,
) -> Installed {
    let cells = notebook.cells.iter().filter(|cell| !cell.is_foreign);
    let mut found = Installed::default();
    for cell in cells {
        let Some(text) = commands(notebook, cell) else {
            continue;
        };
        let lines = LineIndex::new(&text);
        let code = BuildCode {
            language: BuildLanguage::Shell,
            comments: &[],
            cmake: None,
            scripts: analysis.scripts,
        };
        let unit = analysis.unit(index, file, (&text, &lines), code);
        let mut out = Outcome::default();
        build::check_installs(&unit, &mut out);
        let in_file = |range: TextRange| {
            let in_code = TextRange::new(range.start + cell.start, range.end + cell.start);
            notebook.code.near(in_code)
        };
        let taken = out.kept.iter();
        let taken = taken.filter(|one| one.reason == KeptReason::TakenAway);
        found.taken_away.extend(taken.map(|one| in_file(one.range)));
        found
            .findings
            .extend(out.findings.into_iter().map(|finding| {
                let range = finding.range;
                Finding {
                    range: in_file(range),
                    cell: Some(Box::new(FindingCell {
                        number: cell.number,
                        source: cell.source.clone(),
                        range,
                    })),
                    ..finding
                }
            }));
    }
    found
}

/// The text of a cell with nothing but its commands, each of them at its place.
fn commands(notebook: &Notebook, cell: &Cell) -> Option<Vec<u8>> {
    let blank = |&byte: &u8| if byte == b'\n' { byte } else { b' ' };
    let mut text: Vec<u8> = cell.source.iter().map(blank).collect();
    let mut is_any = false;
    let end = cell.start + cell.source.len();
    let own = notebook
        .foreign
        .iter()
        .filter(|one| one.start >= cell.start && one.end <= end);
    for range in own {
        let end = behind_command(&cell.source, range.end - cell.start);
        let range = TextRange::new(range.start - cell.start, end);
        let command = range.of(&cell.source);
        let front = command.len() - command.trim_ascii_start().len();
        let is_command = command.get(front) == Some(&SHELL)
            || INSTALLERS
                .iter()
                .any(|one| command.trim_ascii_start().starts_with(one));
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
