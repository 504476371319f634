//! The summary that ends a port.

use std::io::{self, Write};

use super::counts::{assembly, edits, facts, files, references, suppressed};
use super::effort::effort;
use super::findings::findings;
use super::kept::{kept, left_to_build};
use super::next::{BUILT_ALREADY, in_use, nothing_ported, step};
use super::not_built::not_built;
use super::optional::parts;
use super::single_file::without_package;
use crate::diagnostic::Severity;
use crate::diagnostic::codes::build::{NOT_COMPILED_ONCE, NOT_FOLLOWED};
use crate::mapping::effort::Effort;
use crate::report::format::plain::one_line;
use crate::report::format::row::{files_row, row};
use crate::report::format::style;
use crate::report::format::style::{BOLD, PATH};
use crate::report::{EditCounts, FindingsPlace, OptionalCode, Report};
use crate::text::counted;

/// What the closing summary says besides the report.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// Where the report was written.
    pub report: Option<String>,
    /// Where the manifest was written.
    pub manifest: Option<String>,
    /// What the port did with the edits that a person made of the last port.
    pub edits: EditCounts,
    /// How many files of the last port are gone.
    pub removed: usize,
    /// How many files that a person removed are back.
    pub restored: usize,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// Whether nothing changed since the last port.
    pub unchanged: bool,
}

/// Write the summary that ends a run. `report` must be sorted.
///
/// # Errors
/// When `out` can't take it.
pub fn ported(report: &Report, closing: &Closing, out: &mut dyn Write) -> io::Result<()> {
    heading(report, closing.dry_run, out)?;
    if closing.unchanged {
        let text = "nothing since the last port, so no file was written";
        row(out, "changed", text)?;
    }
    files(report, out)?;
    references("translated", report.references, out)?;
    facts(report, out)?;
    assembly(report.assembly, out)?;
    kept(report, out)?;
    left_to_build(report, out)?;
    let variables = parts(report);
    findings(report, &variables, out)?;
    not_built(report, out)?;
    run_time(report, out)?;
    suppressed(report, out)?;
    effort(report, Effort::builtin(), out)?;
    if report.withdrawn > 0 {
        let red = style::severity(Severity::Error);
        let edits = counted(report.withdrawn, "edit");
        row(
            out,
            "withdrawn",
            &format!("{red}{edits}{red:#}, each with a finding"),
        )?;
    }
    let gone = "of the last port that this one does not have";
    files_row(out, "removed", closing.removed, gone)?;
    let back = "that you had removed; `exclude` in torchada.toml leaves a file out";
    files_row(out, "restored", closing.restored, back)?;
    if let Some(edits) = edits(closing.edits) {
        row(out, "your edits", &edits)?;
    }
    for (name, path) in [("report", &closing.report), ("manifest", &closing.manifest)] {
        if let Some(path) = path {
            row(out, name, &format!("{PATH}{}{PATH:#}", one_line(path)))?;
        }
    }
    row(out, "next", &next_step(report, &variables, closing))
}

/// The line that names the input and the output.
fn heading(report: &Report, is_dry_run: bool, out: &mut dyn Write) -> io::Result<()> {
    let input = one_line(&report.input);
    match &report.output {
        Some(output) => {
            let verb = if is_dry_run { "would port" } else { "ported" };
            let output = one_line(output);
            writeln!(
                out,
                "{BOLD}{verb} {input} to {PATH}{output}{PATH:#}{BOLD:#}"
            )
        }
        None => writeln!(out, "{BOLD}looked at {input}, wrote nothing{BOLD:#}"),
    }
}

/// The row about the package for run time, or about programs of Python's that go without it.
fn run_time(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.stub > 0 {
        let files = counted(report.stub, "file");
        let how = "`import torchada` before torch is used on MUSA; programs in other folders find it by PYTHONPATH";
        row(
            out,
            "run time",
            &format!("{PATH}torchada/{PATH:#}, {files}: {how}"),
        )
    } else {
        without_package(
            "this port",
            "port the whole tree without `--no-stub`",
            report,
            out,
        )
    }
}

fn next_step(report: &Report, variables: &[&OptionalCode], closing: &Closing) -> String {
    let worst = report
        .findings
        .iter()
        .map(|finding| finding.code.severity)
        .max();
    let step = step(report, variables, "").filter(|_| report.files.python > 0);
    let list = if report.all_findings == FindingsPlace::Nowhere {
        "what `torchada check` still finds (after `git add`)"
    } else {
        "the findings in the report"
    };
    let first = match worst {
        Some(Severity::Error) => ", errors first",
        _ => "",
    };
    let nothing = nothing_ported(report);
    let text = if report.files.failed > 0 {
        "see why the failed files could not be done, and port again"
    } else if closing.edits.conflicts > 0 {
        "decide the conflicts between your edits and the port; the report says where they are"
    } else if closing.dry_run || report.output.is_none() {
        "port without --dry-run or --diff to write this"
    } else if let Some(nothing) = nothing.filter(|text| *text == BUILT_ALREADY) {
        nothing
    } else if report
        .findings
        .iter()
        .any(|one| [NOT_COMPILED_ONCE.id, NOT_FOLLOWED.id].contains(&one.code.id))
    {
        "see to it that each source reaches a compiler of MUSA's (BLD051, BLD052), then to the other findings"
    } else if let Some(step) = &step {
        step.trim_start_matches("and ")
    } else if worst >= Some(Severity::Warning) {
        return format!("go through {list}{first}, then {}", in_use(report));
    } else if let Some(nothing) = nothing {
        nothing
    } else if report.files.ported == 0 {
        "nothing to build: none of the files has anything of CUDA's to translate"
    } else {
        in_use(report)
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Finding};

    #[test]
    fn the_summary_says_what_happened_and_what_to_do() {
        const LEFT: Code = Code::warning("CPP999", "no counterpart");
        let mut report = Report {
            input: "project".to_owned(),
            output: Some("project_musa".to_owned()),
            findings: vec![
                Finding::whole(LEFT, "a.cu", "one"),
                Finding::whole(LEFT, "b.cu", "two"),
                Finding::whole(LEFT, "b.cu", "three"),
            ],
            ..Report::default()
        };
        report.files.seen = 4;
        report.files.ported = 3;
        report.files.copied = 1;
        report.files.skipped.insert("not tracked by git", 2);
        report.references.confirmed = 7;
        report.references.other = 1;
        report.grade(Effort::builtin());
        let closing = Closing {
            report: Some("project_musa/.torchada/report.json".to_owned()),
            ..Closing::default()
        };
        let mut out = anstream::StripStream::new(Vec::new());
        ported(&report, &closing, &mut out).expect("written");
        assert_eq!(
            String::from_utf8_lossy(&out.into_inner()),
            "\
ported project to project_musa
  files       4 seen, 3 ported, 1 copied
  skipped     2 not tracked by git
  translated  7 references: 7 confirmed; 1 other edit
  findings    3 warnings of 1 cause, about 15 min of work
  C++, CUDA       3  CPP999  no counterpart (a.cu and 1 more file)
                     about 15 min
  effort      2 files low
                  10 min  low        b.cu  CPP999
                   5 min  low        a.cu  CPP999
  report      project_musa/.torchada/report.json
  next        go through the findings in the report, then build or run it on MUSA
"
        );
    }
}
