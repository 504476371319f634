//! Rows of counts that several summaries have.

use std::io::{self, Write};

use crate::diagnostic::Severity;
use crate::mapping::ptx::{Exactness, StatementCounts};
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::{self, PATH};
use crate::report::{EditCounts, FileCounts, References, Report};
use crate::text::counted;

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

/// The row that counts the files of a run, and the one that counts those left out.
pub(super) fn files(report: &Report, out: &mut dyn Write) -> io::Result<()> {
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
            .map(|(why, &count)| format!("{count} {}", if count == 1 { why } else { several(why) }))
            .collect();
        row(out, "skipped", &reasons.join(", "))?;
    }
    Ok(())
}

/// A reason why something is left out, in the words for several; the words for one are keys of the report.
fn several(reason: &str) -> &str {
    match reason {
        "output of a port" => "outputs of ports",
        "submodule not checked out" => "submodules not checked out",
        "pipe, socket or device" => "pipes, sockets or devices",
        other => other,
    }
}

/// The row that counts translated references, by their evidence.
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
