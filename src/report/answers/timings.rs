//! Where the time of a run went, for people.

use std::io::{self, Write};
use std::time::Duration;

use crate::progress::TimingsReport;

/// How many rows the list of rules and other work of the threads has at most.
const LISTED: usize = 40;

/// Write where the time went: the phases first, then the work of all threads.
///
/// # Errors
/// When `out` can't take it.
pub fn timings(report: &TimingsReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "timings: {} in all", seconds(report.whole))?;
    for (phase, time) in &report.phases {
        row(phase.as_str(), *time, out)?;
    }
    let in_phases: Duration = report.phases.iter().map(|(_, time)| *time).sum();
    row(
        "everything else",
        report.whole.saturating_sub(in_phases),
        out,
    )?;
    if report.spent.is_empty() {
        return Ok(());
    }
    writeln!(out, "of which, on all threads together:")?;
    for (what, time) in report.spent.iter().take(LISTED) {
        row(what, *time, out)?;
    }
    let (nodes, visits) = report.passes;
    if let Some(tenths) = visits.saturating_mul(10).checked_div(nodes) {
        let (whole, rest) = (tenths / 10, tenths % 10);
        writeln!(
            out,
            "Python's trees have {nodes} nodes, each gone through {whole}.{rest} times"
        )?;
    }
    Ok(())
}

fn row(what: &str, time: Duration, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {what:<28} {:>9}", seconds(time))
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Phase;

    #[test]
    fn time_outside_the_phases_has_a_row() {
        let report = TimingsReport {
            whole: Duration::from_millis(1500),
            phases: vec![(Phase::Read, Duration::from_millis(400))],
            spent: vec![("parsing".to_owned(), Duration::from_millis(70))],
            passes: (200, 2_500),
        };
        let mut out = Vec::new();
        timings(&report, &mut out).expect("memory takes it");
        let lines = String::from_utf8(out).expect("text");
        let lines: Vec<Vec<&str>> = lines
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(lines[1], ["reading", "0.400", "s"]);
        assert_eq!(lines[2], ["everything", "else", "1.100", "s"]);
        assert_eq!(lines[4], ["parsing", "0.070", "s"]);
        assert_eq!(
            lines[5].join(" "),
            "Python's trees have 200 nodes, each gone through 12.5 times"
        );
    }
}
