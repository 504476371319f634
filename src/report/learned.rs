//! What `torchada learn` found, on one screen.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::one_line;

/// What is shown.
#[derive(Debug)]
pub struct LearnedSummary {
    /// What was read: the SDK, its version, its compiler, each on a line.
    pub sources: Vec<String>,
    /// For each library, by its title: names that are there, that are not, and that differ.
    pub libraries: BTreeMap<String, [usize; 3]>,
    /// Names that the tables know to be there and that are not.
    pub lost: usize,
    /// Names that the tables call absent and that are there.
    pub won: usize,
    /// Names of which the tables know nothing.
    pub decided: usize,
    /// What could not be read.
    pub unread: Vec<String>,
    /// The file with the facts, and what to do with it.
    pub written: String,
}

/// How many unread things are named.
const NAMED: usize = 6;

/// Write the screen.
///
/// # Errors
/// When `out` can't take it.
pub fn learned(summary: &LearnedSummary, out: &mut dyn Write) -> io::Result<()> {
    for line in &summary.sources {
        writeln!(out, "{}", one_line(line))?;
    }
    let width = summary
        .libraries
        .keys()
        .map(|title| title.chars().count())
        .max();
    let width = width.unwrap_or(0).max(7);
    writeln!(out, "\n{:width$}  there  not there  differ", "names of")?;
    let mut sum = [0; 3];
    for (title, counts) in &summary.libraries {
        let [there, missing, differ] = counts;
        writeln!(out, "{title:width$}  {there:5}  {missing:9}  {differ:6}")?;
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let [there, missing, differ] = sum;
    writeln!(out, "{:width$}  {there:5}  {missing:9}  {differ:6}", "all")?;
    writeln!(
        out,
        "\nOf the program's own tables, {} names are claimed and not there, {} are called absent and there; {} unknown \
         ones are decided.",
        summary.lost, summary.won, summary.decided
    )?;
    if !summary.unread.is_empty() {
        writeln!(out, "\nnot read:")?;
        for one in summary.unread.iter().take(NAMED) {
            writeln!(out, "  {}", one_line(one))?;
        }
        if let Some(more) = summary
            .unread
            .len()
            .checked_sub(NAMED)
            .filter(|more| *more > 0)
        {
            writeln!(
                out,
                "  and {more} more, which the facts list under `unread`"
            )?;
        }
    }
    writeln!(out, "\n{}", one_line(&summary.written))
}
