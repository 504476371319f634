//! What `torchada learn` found, on one screen.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::mapping::{Conflict, ConflictKind};
use crate::report::one_line;

/// What is shown.
#[derive(Debug)]
pub struct LearnedSummary {
    /// What was read: the SDK, its version, its compiler, each on a line.
    pub sources: Vec<String>,
    /// For each library, by its title: names that are there, that are not, and that differ.
    pub libraries: BTreeMap<String, [usize; 3]>,
    /// Where the facts say something else than the program's own tables.
    pub conflicts: Vec<Conflict>,
    /// The command that lists all of them.
    pub all_conflicts: String,
    /// What could not be read.
    pub unread: Vec<String>,
    /// The file with the facts, and what to do with it.
    pub written: String,
}

/// How many unread things are named.
const NAMED: usize = 6;

/// How many names are named of those that contradict the tables in one way.
const EXAMPLES: usize = 3;

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
    conflicts(summary, out)?;
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

/// How many names contradict the tables in which way, with the first of each.
fn conflicts(summary: &LearnedSummary, out: &mut dyn Write) -> io::Result<()> {
    if summary.conflicts.is_empty() {
        return writeln!(out, "\nNothing of it contradicts the program's own tables.");
    }
    let all = one_line(&summary.all_conflicts);
    writeln!(
        out,
        "\nWhat contradicts the program's own tables (`{all}` lists all):"
    )?;
    for kind in ConflictKind::ALL {
        let of = summary.conflicts.iter().filter(|one| one.kind == kind);
        let names: Vec<&str> = of.map(|one| &*one.fact.cuda).collect();
        if names.is_empty() {
            continue;
        }
        let (count, title) = (names.len(), kind.title());
        let more = if count > EXAMPLES { ", …" } else { "" };
        let first = names.into_iter().take(EXAMPLES).collect::<Vec<_>>();
        writeln!(
            out,
            "  {count:5}  {title}: {}{more}",
            one_line(&first.join(", "))
        )?;
    }
    Ok(())
}
