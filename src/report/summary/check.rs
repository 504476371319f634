//! The summary that ends a check.

use std::io::{self, Write};

use super::counts::{assembly, facts, references, skipped, suppressed};
use super::effort::effort;
use super::findings::findings;
use super::kept::left_to_build;
use super::next::next;
use super::not_built::not_built;
use super::optional::parts;
use crate::mapping::effort::Effort;
use crate::report::Report;
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::BOLD;
use crate::text::{counted, first_of};

/// How many of the paths that a check is given are named. A commit hook gives it all files that a commit touches.
const PATHS_SHOWN: usize = 5;

/// Write the summary of a check. `paths` are those that the user typed, as the user typed them. `report` must be sorted
/// and graded with `scale`.
///
/// # Errors
/// When `out` can't take it.
pub fn checked(
    paths: &[String],
    report: &Report,
    scale: &Effort,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paths: Vec<String> = paths.iter().map(|path| one_line(path)).collect();
    writeln!(
        out,
        "{BOLD}checked {}{BOLD:#}: {}, nothing written",
        first_of(&paths, PATHS_SHOWN),
        counted(report.files.seen, "file")
    )?;
    skipped(&report.files, out)?;
    if let Some(folder) = &report.enclosing_project {
        let folder = one_line(folder);
        let text = format!(
            "with nothing of its project's: `--root {folder}` follows what that declares and includes"
        );
        row(out, "alone", &text)?;
    }
    references("translates", report.references, out)?;
    facts(report, out)?;
    assembly(report.assembly, out)?;
    left_to_build(report, out)?;
    let variables = parts(report);
    findings(report, &variables, out)?;
    not_built(report, out)?;
    suppressed(report, out)?;
    if let Some(count) = report.unchanged {
        let hidden = counted(count, "finding");
        row(
            out,
            "unchanged",
            &format!("{hidden} on lines that did not change"),
        )?;
    }
    if let Some(known) = report.known {
        let counts = [
            (known.open, "open"),
            (known.accepted, "accepted"),
            (known.gone, "not found any more"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let text = if counts.is_empty() {
            "knows no finding".to_owned()
        } else {
            counts.join(", ")
        };
        row(out, "baseline", &text)?;
    }
    effort(report, scale, out)?;
    next(report, &variables, out)
}
