//! The summary that ends a port.

use std::io::{self, Write};

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
use crate::mapping::ptx::{Exactness, StatementCounts};
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style;
use crate::report::format::style::{BOLD, PATH};
use crate::report::{EditCounts, FileCounts, OptionalCode, References, Report};
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
    let input = one_line(&report.input);
    match &report.output {
        Some(output) => {
            let verb = if closing.dry_run {
                "would port"
            } else {
                "ported"
            };
            let output = one_line(output);
            writeln!(
                out,
                "{BOLD}{verb} {input} to {PATH}{output}{PATH:#}{BOLD:#}"
            )?;
        }
        None => writeln!(out, "{BOLD}looked at {input}, wrote nothing{BOLD:#}")?,
    }
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
    if report.stub > 0 {
        let files = counted(report.stub, "file");
        let how = "`import torchada` before torch is used on MUSA; programs in other folders find it by PYTHONPATH";
        row(
            out,
            "run time",
            &format!("{PATH}torchada/{PATH:#}, {files}: {how}"),
        )?;
    } else {
        without_package(
            "this port",
            "port the whole tree without `--no-stub`",
            report,
            out,
        )?;
    }
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
    if closing.removed > 0 {
        let files = counted(closing.removed, "file");
        row(
            out,
            "removed",
            &format!("{files} of the last port that this one does not have"),
        )?;
    }
    if closing.restored > 0 {
        let files = counted(closing.restored, "file");
        let how = "`exclude` in torchada.toml leaves a file out";
        row(
            out,
            "restored",
            &format!("{files} that you had removed; {how}"),
        )?;
    }
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

/// What the port did with a person's edits, in words; `None` where there were none.
pub(in crate::report) fn edits(edits: EditCounts) -> Option<String> {
    let red = style::severity(Severity::Error);
    let mut parts = Vec::new();
    for (count, what) in [
        (edits.kept, "kept"),
        (edits.merged, "merged with the port's changes"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", counted(count, "file")));
        }
    }
    if edits.conflicts > 0 {
        let files = counted(edits.conflicts, "file");
        parts.push(format!("{red}{files} with conflicts{red:#}"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The row that says how many findings are hidden, and by what.
pub(in crate::report) fn suppressed(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for (at, (hidden, by)) in [
        (&report.suppressed, "comments"),
        (&report.ignored, "per-file-ignores"),
    ]
    .into_iter()
    .filter(|(hidden, _)| !hidden.is_empty())
    .enumerate()
    {
        let name = if at == 0 { "suppressed" } else { "" };
        let count = counted(hidden.len(), "finding");
        row(out, name, &format!("{count}, by {by}"))?;
    }
    Ok(())
}

fn files(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let counts = &report.files;
    let mut parts = vec![
        format!("{} seen", counts.seen),
        format!("{} ported", counts.ported),
        format!("{} copied", counts.copied),
    ];
    if counts.links > 0 {
        parts.push(counted(counts.links, "link"));
    }
    if counts.renamed > 0 {
        parts.push(format!("{} renamed", counts.renamed));
    }
    if counts.failed > 0 {
        let red = style::severity(Severity::Error);
        parts.push(format!("{red}{} failed{red:#}", counts.failed));
    }
    row(out, "files", &parts.join(", "))?;
    skipped(counts, out)
}

/// The row that says how many files were left out, and why.
pub(in crate::report) fn skipped(counts: &FileCounts, out: &mut dyn Write) -> io::Result<()> {
    if !counts.skipped.is_empty() {
        let reasons = counts.skipped.iter();
        let reasons: Vec<String> = reasons
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        row(out, "skipped", &reasons.join(", "))?;
    }
    Ok(())
}

pub(in crate::report) fn references(
    name: &str,
    references: References,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut parts = Vec::new();
    for (count, what) in [
        (references.sdk, "by the SDK"),
        (references.confirmed, "confirmed"),
        (references.table, "by a table"),
        (references.rule, "by rule only"),
        (references.contested, "contested"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let mut text = counted(references.translated(), "reference");
    if !parts.is_empty() {
        text = format!("{text}: {}", parts.join(", "));
    }
    if references.other > 0 {
        text = format!("{text}; {}", counted(references.other, "other edit"));
    }
    row(out, name, &text)
}

/// The row that names the facts of the run, where there are any.
pub(in crate::report) fn facts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(used) = &report.facts else {
        return Ok(());
    };
    let names = counted(report.fact_names.len(), "name");
    let rest = if report.fact_names.len() == 1 {
        "rests"
    } else {
        "rest"
    };
    let text = format!(
        "{}, {PATH}{}{PATH:#}: {names} {rest} on it",
        one_line(&used.releases),
        one_line(&used.file)
    );
    row(out, "facts", &text)
}

/// The row that counts statements of inline PTX, where there are any.
pub(in crate::report) fn assembly(counts: StatementCounts, out: &mut dyn Write) -> io::Result<()> {
    let mut parts = Vec::new();
    for (count, what) in [
        (counts.exact, Exactness::Exact),
        (counts.stronger, Exactness::Stronger),
        (counts.slower, Exactness::Slower),
        (counts.approximate, Exactness::Approximate),
    ] {
        if count > 0 {
            parts.push(format!("{count} {}", what.as_str()));
        }
    }
    let mut texts = Vec::new();
    if !parts.is_empty() {
        let statements = counted(counts.translated(), "statement");
        texts.push(format!("{statements} translated: {}", parts.join(", ")));
    }
    if counts.kept > 0 {
        texts.push(format!("{} kept", counts.kept));
    }
    if texts.is_empty() {
        return Ok(());
    }
    row(out, "assembly", &texts.join("; "))
}

fn next_step(report: &Report, variables: &[&OptionalCode], closing: &Closing) -> String {
    let worst = report
        .findings
        .iter()
        .map(|finding| finding.code.severity)
        .max();
    let step = step(report, variables, "").filter(|_| report.files.python > 0);
    let list = if report.is_unsaved {
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
