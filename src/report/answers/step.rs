//! The result of `torchada port --check`: whether an output is up to date.

use std::io::{self, Write};

use crate::report::EditCounts;
use crate::report::format::plain::one_line;
use crate::report::format::row::{files_row, row};
use crate::report::format::style::{BOLD, PATH};
use crate::report::summary::counts::edits;
use crate::text::counted;

/// How many files of each kind are named; the diff has them all.
const FILES: usize = 20;

/// What a port made now would change in an output.
#[derive(Clone, Debug, Default)]
pub struct InStep {
    /// The input, as it was typed.
    pub input: String,
    /// The output, as it was typed.
    pub output: String,
    /// How many files are what a port would make them.
    pub same: usize,
    /// How many files a port would leave alone, because none wrote them.
    pub own: usize,
    /// Counts of a person's edits, by what a port would do with them.
    pub edits: EditCounts,
    /// The files whose edits a port would keep or merge.
    pub edited: Vec<String>,
    /// Whether edits are not to be there.
    pub strict: bool,
    /// How many files could not be looked at.
    pub failed: usize,
    /// Whether the output has a manifest.
    pub manifest: bool,
    /// The program that made the output, if it is another version than this.
    pub other_program: Option<String>,
    /// This program, with its version.
    pub program: &'static str,
    /// Whether the manifest lists what a port would list.
    pub is_listed: bool,
    /// The files that would change.
    pub differs: Vec<Differing>,
}

/// One file that a port would change.
#[derive(Clone, Debug)]
pub struct Differing {
    /// The path that the file would have.
    pub path: String,
    /// The path of the source, if it differs from the path in the output.
    pub source: Option<String>,
    /// The change that a port would make.
    pub what: OutOfStep,
    /// Whether somebody changed it since the last port.
    pub edited: bool,
}

/// The changes that a port would make to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutOfStep {
    /// Write it for the first time.
    New,
    /// Write it anew.
    Changed,
    /// Remove it.
    Gone,
    /// Give it another name than this.
    Renamed(String),
    /// None: a folder stands in its place, before which a port stops.
    InTheWay,
}

impl InStep {
    /// Whether there are edits that are not to be there.
    fn has_wrong_edits(&self) -> bool {
        self.strict && !self.edited.is_empty()
    }

    /// Whether a port would change nothing.
    fn is_clean(&self) -> bool {
        self.differs.is_empty()
            && self.is_listed
            && self.failed == 0
            && self.edits.conflicts == 0
            && !self.has_wrong_edits()
    }

    /// Whether a port would stop before something that stands in a file's place.
    fn is_blocked(&self) -> bool {
        let mut differs = self.differs.iter();
        differs.any(|one| !one.edited && one.what == OutOfStep::InTheWay)
    }
}

/// Write the summary.
///
/// # Errors
/// When `out` can't take it.
pub fn in_step(step: &InStep, out: &mut dyn Write) -> io::Result<()> {
    let is_clean = step.is_clean();
    heading(step, is_clean, out)?;
    if let Some(program) = &step.other_program {
        let program = one_line(program);
        row(
            out,
            "program",
            &format!("{program} made the port, and this is {}", step.program),
        )?;
    }
    differences(&step.differs, out)?;
    if !step.is_listed {
        row(
            out,
            "manifest",
            "its list of files is an older port's, or was not committed with the files",
        )?;
    }
    if let Some(edits) = edits(step.edits) {
        row(out, "your edits", &edits)?;
        for path in step.edited.iter().take(FILES) {
            row(out, "", &format!("{PATH}{}{PATH:#}", one_line(path)))?;
        }
        and_more(step.edited.len(), out)?;
    }
    let own = "that no port wrote, and none would touch";
    files_row(out, "yours", step.own, own)?;
    if is_clean {
        return Ok(());
    }
    if !step.manifest {
        row(
            out,
            "manifest",
            "none is there, so edits count as an older port's, and all files as a port's",
        )?;
    }
    row(out, "compared", COMPARED)?;
    row(out, "next", &next(step))
}

/// The line that says whether the output is in step, and how many files are.
fn heading(step: &InStep, is_clean: bool, out: &mut dyn Write) -> io::Result<()> {
    let (input, output) = (one_line(&step.input), one_line(&step.output));
    let files = counted(step.same, "file");
    if is_clean {
        return writeln!(
            out,
            "{BOLD}{PATH}{output}{PATH:#}{BOLD} is in step with {input}{BOLD:#}: {files}"
        );
    }
    writeln!(
        out,
        "{BOLD}{PATH}{output}{PATH:#}{BOLD} is not what a port of {input} gives now{BOLD:#}"
    )?;
    row(out, "in step", &files)?;
    files_row(out, "failed", step.failed, "that could not be looked at")
}

/// The rows that name the files which a port would change.
fn differences(differs: &[Differing], out: &mut dyn Write) -> io::Result<()> {
    let edited = |one: &&Differing| one.edited;
    let (theirs, ours): (Vec<_>, Vec<_>) = differs.iter().partition(edited);
    let of = |test: &dyn Fn(&OutOfStep) -> bool| -> Vec<&Differing> {
        let ours = ours.iter().copied();
        ours.filter(|one| test(&one.what)).collect()
    };
    named(out, "changed", &of(&|what| *what == OutOfStep::Changed))?;
    named(out, "new", &of(&|what| *what == OutOfStep::New))?;
    named(out, "gone", &of(&|what| *what == OutOfStep::Gone))?;
    let renamed = |what: &OutOfStep| matches!(what, OutOfStep::Renamed(_));
    named(out, "renamed", &of(&renamed))?;
    let in_the_way = of(&|what| *what == OutOfStep::InTheWay);
    named(out, "in the way", &in_the_way)?;
    named(out, "edited", &theirs)
}

/// What to do about an output that is not in step.
fn next(step: &InStep) -> String {
    let is_edited = step.differs.iter().any(|one| one.edited);
    let text = match (step.manifest, is_edited) {
        _ if step.is_blocked() => {
            "move aside what stands in the place of a file: a port stops before it"
        }
        (true, false) if step.edits.conflicts > 0 && step.differs.is_empty() => {
            "decide the conflicts, and commit the result"
        }
        (true, false) if step.has_wrong_edits() && step.differs.is_empty() => {
            "take the edits over into the input, or check without --strict"
        }
        (true, false) if step.edits.conflicts > 0 => {
            "port again, decide the conflicts that it marks, and commit the result"
        }
        (true, false) => "port again, and commit what it writes",
        (true, true) => {
            "take the edits over into the input, or move them aside: a port stops before edits that it can't tell from its own changes"
        }
        (false, _) => {
            let output = one_line(&step.output);
            return format!(
                "`git apply --directory={output}` takes the diff, where {output} is seen from the top of the repository"
            );
        }
    };
    text.to_owned()
}

/// What was looked at.
const COMPARED: &str = "contents, links and executable bits, the package for run time included; of \
    `.torchada/` the manifest's list of files";

fn named(out: &mut dyn Write, name: &str, files: &[&Differing]) -> io::Result<()> {
    for (at, file) in files.iter().take(FILES).enumerate() {
        // A file with another name is known by the one that it has.
        let path = match &file.what {
            OutOfStep::Renamed(old) => one_line(old),
            _ => one_line(&file.path),
        };
        let from = match (&file.what, &file.source) {
            (OutOfStep::Renamed(_), _) => format!(", which would be {}", one_line(&file.path)),
            (OutOfStep::InTheWay, _) => ", where a folder or a special file stands".to_owned(),
            (OutOfStep::Gone, _) if file.edited => ", which has no source any more".to_owned(),
            (_, Some(source)) => format!(" from {}", one_line(source)),
            _ => String::new(),
        };
        let name = if at == 0 { name } else { "" };
        row(out, name, &format!("{PATH}{path}{PATH:#}{from}"))?;
    }
    and_more(files.len(), out)
}

/// Say how many files of a list are not named.
fn and_more(files: usize, out: &mut dyn Write) -> io::Result<()> {
    match files.checked_sub(FILES).filter(|more| *more > 0) {
        Some(more) => row(out, "", &format!("and {more} more")),
        None => Ok(()),
    }
}
