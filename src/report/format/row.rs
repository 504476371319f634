//! The rows of summaries.

use std::io::{self, Write};

use super::plain::one_line;
use super::style::{self, DIM};
use crate::diagnostic::{Finding, Severity};
use crate::text::{counted, first_of, front};

/// Write a row: its name, which may be empty, and its text.
pub(in crate::report) fn row(out: &mut dyn Write, name: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{name:<11}{DIM:#} {text}")
}

/// Write a row about some files, unless there are none: their number, and which they are.
pub(in crate::report) fn files_row(
    out: &mut dyn Write,
    name: &str,
    files: usize,
    which: &str,
) -> io::Result<()> {
    if files == 0 {
        return Ok(());
    }
    row(out, name, &format!("{} {which}", counted(files, "file")))
}

/// Counts of findings in words, without those that are 0: `2 errors, 1 note`. `shown` says how each part looks.
pub(in crate::report) fn severities(
    counts: impl IntoIterator<Item = (usize, Severity)>,
    shown: impl Fn(Severity, String) -> String,
) -> String {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, severity)| shown(severity, counted(count, severity.as_str())))
        .collect();
    parts.join(", ")
}

/// How many findings of each severity there are: `2 errors, 1 note`. Empty where there are none.
pub(in crate::report) fn by_severity<'f>(findings: impl Iterator<Item = &'f Finding>) -> String {
    let mut counts = [Severity::Error, Severity::Warning, Severity::Note].map(|one| (0, one));
    for finding in findings {
        for (count, severity) in &mut counts {
            *count += usize::from(*severity == finding.code.severity);
        }
    }
    severities(counts, |severity, text| {
        let color = style::severity(severity);
        format!("{color}{text}{color:#}")
    })
}

/// Points of effort as people say them.
pub(in crate::report) fn effort(points: usize) -> String {
    /// A working day, in hours.
    const DAY: usize = 8;
    let hours = (points + 30) / 60;
    if points <= 90 {
        format!("about {points} min")
    } else if hours <= 2 * DAY {
        format!("about {hours} h")
    } else {
        format!("about {} days", hours.div_ceil(DAY))
    }
}

/// What work is still to be done, in words that go on with a sentence: `, about 5 min`. Empty where there is none.
pub(in crate::report) fn work(points: usize) -> String {
    if points > 0 {
        format!(", {}", effort(points))
    } else {
        String::new()
    }
}

/// A text that takes no more than so many letters.
pub(in crate::report) fn shortened(text: &str, most: usize) -> String {
    match front(text, most) {
        Some(front) => format!("{}…", front.trim_end()),
        None => text.to_owned(),
    }
}

/// The place of a finding: `app/core.py:12`; of one about a whole file only the file.
pub(in crate::report) fn place(finding: &Finding) -> String {
    let path = one_line(&finding.path);
    if finding.is_whole() {
        path
    } else {
        format!("{path}:{}", finding.start.line)
    }
}

/// The first `most` of some names, and how many more there are. `last` stands before the last of them where all are shown.
pub(in crate::report) fn listed(names: &[String], most: usize, last: &str) -> String {
    match names {
        [front @ .., end] if !front.is_empty() && names.len() <= most => {
            format!("{}{last}{end}", front.join(", "))
        }
        _ => first_of(names, most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_is_rounded_to_the_nearest_hour() {
        let rounded = [90, 91, 132, 150, 151].map(effort);
        let hours = [
            "about 90 min",
            "about 2 h",
            "about 2 h",
            "about 3 h",
            "about 3 h",
        ];
        assert_eq!(rounded, hours);
    }
}
